"""The referee: policies, proposals, rulings."""
