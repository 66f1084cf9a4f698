// Texts beside the examples of the documentation, in English; fetched with its pages.
export const en_docs = {
  "docs.run": "Run",
  "docs.stop": "Stop",
  "docs.edit": "Edit",
  "docs.restore": "As it was",
  "docs.running": "It runs …",
  "docs.example": "Example",
  "docs.shows": "What the example shows",
  "docs.nothing": "It ran. Nothing in it shows anything: the last line may be a name or a call.",
  "docs.leave": "Ctrl+Enter runs it with the examples above. Esc, then Tab leaves the editor.",
  "docs.elsewhere": "No browser runs this: it needs {module}. Run it on a machine of your own.",
} as const;
