"""The language of the programs: read, analysed into Python closures, and evaluated within limits."""
