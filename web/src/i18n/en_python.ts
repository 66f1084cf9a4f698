// Texts while Python loads, and after a program was stopped, in English; fetched with what asks Python.
export const en_python = {
  "python.fetching": "Python is being fetched",
  "python.starting": "Python starts",
  "python.stopped.time":
    "The program did not end in time, so it was stopped. Perhaps a loop never ends, or there is too much to count.",
  "python.stopped.memory": "The program needed too much memory, so it was stopped.",
  "python.stopped.crash": "Python broke down over this program and was started anew.",
  "python.stopped.asked": "Stopped.",
  "python.stopped.unreachable": "Python could not be fetched. Is there a network?",
} as const;
