"""Rename symbols, modules and texts by rules that are kept, so that they can be read and run again.

`./dev run tools.names apply` renames all that still has an old name; on a branch from before, the
same rules do the same to what came from there. `./dev run tools.names count` says how many names
are against the glossary (docs/contributing/glossary.md), and `list` says which.

The rules are in `rules/*.toml`, one file a package:

    [modules]
    "rollwright.words" = "rollwright.i18n"

    ["rollwright.table.rolls"]       # the module as it was called before
    Told = "RollState"               # a function, class or constant
    "Told.asked" = "request"         # a method, property or field
    "compare(said)" = "text"         # a parameter

    ["rollwright.ask.**"]            # all modules below
    "*.said" = "format"              # of every class that has it

    ["web/src/net/line.ts"]          # TypeScript, by its file
    Line = "TableSocket"

    [files]
    "web/src/net/line.ts" = "web/src/net/table_socket.ts"

    [texts]                          # texts in quotes or backticks, in every file
    "ask.made" = "roll_request.created"

    [patterns]                       # regular expressions, where a text alone says too little
    'do="say"' = 'do="chat.send"'

Language servers say where a symbol is used: basedpyright for Python, tsc for TypeScript.
"""
