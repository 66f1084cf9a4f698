"""The workloads: the same question put to Rollwright, icepool and dyce.

A module here asks one question. It has a function for each library, or the reason why there is
none: `ours`, `icepool` and `dyce`. Called with the size of the question, such a function imports
its library and defines what a user's module would define; it gives back the computation itself,
so that only that is timed. Nothing else may be imported here: it would count for every library.
"""
