"""Learning how positions are judged: self-play, a fit, and the proof that it plays better."""
