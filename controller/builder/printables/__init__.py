"""Sheets to print: each page is SVG in millimetres; `page_files` also makes PDFs of them."""
