"""Things to print: every page is SVG in millimetres, and a PDF is made of those pages."""
