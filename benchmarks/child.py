"""One measurement: one workload with one library, in a process that has loaded nothing else.

Run as a script with the workload's module, the library and the size; prints one line of JSON.
Whatever is imported before the clock starts would be missing from the cost of a library's import,
so this file imports next to nothing until it stops. The clock is that of this thread, which does
all the work: the clock of the process only moves every few milliseconds while a timer of the
process is set, and a rule that is played is under one.
"""

import gc
import sys
from time import thread_time

MOST_MEMORY = 4 << 30
Parts = dict[object, list[tuple[object, int]]]


def measured(module: str, library: str, size: list[int]) -> tuple[dict[str, object], Parts]:
    """The times of one workload, and what it found."""
    start = thread_time()
    compute = getattr(load(module), library)(*size)
    loaded = thread_time()
    gc.collect()
    modules = set(sys.modules)
    begin = thread_time()
    parts = parts_of(compute())
    end = thread_time()
    times = {
        "computed": end - begin,
        "cold": end - begin + loaded - start,
        "late": sorted(set(sys.modules) - modules),
    }
    return times, parts


def load(module: str) -> object:
    """A workload's module, found from this file's own place."""
    sys.path[0] = __file__.rpartition("benchmarks")[0] or "."
    __import__(module)
    return sys.modules[module]


def parts_of(result: object) -> Parts:
    """Every outcome with its weight, of each distribution in a result."""
    parts = result if type(result) is dict else {"": result}
    read = {id(part): list(part.items()) for part in parts.values()}  # type: ignore[union-attr]
    return {label: read[id(part)] for label, part in parts.items()}


def limit_memory() -> None:
    """Let a library that needs too much fail, rather than bring the machine down."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main(module: str, library: str, *size: str) -> None:
    """Measure, and print what came of it."""
    limit_memory()
    times, parts = measured(module, library, [int(number) for number in size])
    kilobytes = peak()
    import json

    from benchmarks.answers import digest

    print(json.dumps({**times, "kilobytes": kilobytes, "answer": digest(parts)}))


def peak() -> int:
    """The most memory this process has had, in kilobytes; 0 where the system does not say."""
    try:
        with open("/proc/self/status") as status:
            return int(status.read().partition("VmHWM:")[2].split()[0])
    except OSError:
        return 0


if __name__ == "__main__":
    main(*sys.argv[1:])
