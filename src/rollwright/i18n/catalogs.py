"""Catalogs: the texts of a game or of Rollwright itself, one file a language, read when needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path

from rollwright.errors import BadCatalog, RollwrightError
from rollwright.i18n.codes import language_code
from rollwright.i18n.formatter import FORMATS, Find, Formatter
from rollwright.i18n.languages import ENGLISH, PSEUDO, language_of, lineage
from rollwright.i18n.messages import HOUSE, Message, Plain, Value
from rollwright.i18n.parser import Compiled, Part, compile_text

NOTE = "@"
NAME = "name."
"""Prefix of the names that a game knows: `name.Stealth`, in each of its languages."""


class Catalog:
    """The texts of one file by id; each is compiled when it is first said.

    >>> Catalog("en", {"hit": "{n, plural, one {a hit} other {# hits}}"}).find("hit")
    [['n', 'cardinal', {'one': 'a hit', 'other': [['n'], ' hits']}]]
    """

    def __init__(
        self,
        language: str,
        texts: Mapping[str, str],
        file: str = "",
        problems: Sequence[BadCatalog] = (),
    ) -> None:
        self.language = language
        self.texts = texts
        self.file = file
        self.problems = problems
        """The unreadable parts of the file."""
        self._compiled: dict[str, Compiled] = {}

    def find(self, id: str) -> Compiled | None:
        """The text of a message as small lists, or None."""
        known = self._compiled.get(id)
        if known is None and id in self.texts:
            try:
                known = self._compiled[id] = compile_text(self.texts[id])
            except BadCatalog as problem:
                raise problem.inside(self.file, id) from None
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    @classmethod
    def read(cls, path: Path, language: str) -> Catalog:
        """The catalog of a file such as `words/de.json`.

        What of it is no text, or empty, is left out, and English is said in its place; English has
        none.
        """
        texts, problems = texts_of(path)
        if problems and language == ENGLISH:
            raise problems[0]
        if language != ENGLISH:
            texts = {id: text for id, text in texts.items() if text}
        return cls(language, texts, _catalog_name(path), problems)


def _catalog_name(path: Path) -> str:
    return "/".join(path.parts[-3:])


def texts_of(path: Path) -> tuple[dict[str, str], list[BadCatalog]]:
    """The texts of a file, and what is wrong with it; a name that begins with @ is a note."""
    file = _catalog_name(path)
    problems: list[BadCatalog] = []

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        for name in found if len(found) < len(pairs) else ():
            if [one for one, _ in pairs].count(name) > 1:
                twice = BadCatalog("it is there twice", file=file, id=name, would_do="each id once")
                problems.append(twice)
        return found

    try:
        held = json.loads(path.read_text("utf-8"), object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as problem:
        return {}, [BadCatalog(f"this is no JSON: {problem}", file=file)]
    if not isinstance(held, dict):
        return {}, [BadCatalog("this is no catalog", file=file, would_do='{"id": "text"}')]
    texts = {}
    for id, text in held.items():
        if id.startswith(NOTE):
            if not id.startswith(NOTE * 2) and id[1:] not in held:
                problems.append(BadCatalog("this is a note on nothing", file=file, id=id))
        elif not isinstance(text, str):
            what = f"{text!r:.40} is no text"
            problems.append(BadCatalog(what, file=file, id=id, would_do='"text"'))
        elif not _is_whole(f"{id}{text}"):
            problems.append(BadCatalog("it holds half a character", file=file, id=ascii(id)))
        else:
            texts[id] = text
    return texts, problems


def _is_whole(text: str) -> bool:
    try:
        return bool(text.encode()) or not text
    except UnicodeEncodeError:
        return False


class Messages:
    """The words of a game and those below them: what it says itself, then what all say.

    A text is looked for in the reader's language in each, then in English in each. One that
    cannot be read is looked for further on: a slip in a translation costs that message alone.
    """

    def __init__(self, *sources: Mapping[str, Catalog], home: str = HOUSE) -> None:
        self.sources = sources
        self.home = home
        self._voices: dict[str, Formatter] = {}

    @cached_property
    def languages(self) -> list[str]:
        """Every language that some of these words are in."""
        return sorted({code for source in self.sources for code in source})

    @cached_property
    def own_languages(self) -> list[str]:
        """The languages that a game has words of itself in."""
        return sorted({code for source in self.sources[:-1] for code in source})

    def nearest(self, language: str) -> str:
        """The language itself, or the nearest that there is; English where nothing is near."""
        return next((code for code in lineage(language) if self._has(code)), ENGLISH)

    def speaks(self, language: str) -> bool:
        """Whether there are words in this language, or in one that it is a kind of."""
        return any(map(self._has, lineage(language)))

    def _has(self, code: str) -> bool:
        return code in self.languages or code == PSEUDO

    def __contains__(self, id: str) -> bool:
        """Whether there is a text of that id in English."""
        return id in self._ids

    @cached_property
    def own(self) -> frozenset[str]:
        """The ids that a game has a text of itself: its names may be those of words of all."""
        sources = self.sources[:-1]
        return frozenset(id for source in sources for id in source.get(ENGLISH, ()))

    @cached_property
    def _ids(self) -> frozenset[str]:
        """The ids that have a text in English."""
        return frozenset(id for source in self.sources for id in source.get(ENGLISH, ()))

    def msg(self, id: str, /, **values: Value) -> Message:
        """A message of these words."""
        return Message(id, values, self.home)

    def name(self, name: str) -> Message | str:
        """A name on a sheet as it is said: in words where the game knows it, else as typed."""
        return self.msg(f"{NAME}{name}") if f"{NAME}{name}" in self.own else name

    def known_as(self, name: str) -> str:
        """The name that a game knows something by, whatever language somebody has it in.

        What people make up stays as they typed it.
        """
        return self._names.get(name.casefold(), name)

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names that a game knows by how each language writes them; English comes first."""
        known = sorted(id for id in self.own if id.startswith(NAME))
        found = {id.removeprefix(NAME).casefold(): id.removeprefix(NAME) for id in known}
        for source in self.sources[:-1]:
            for catalog in source.values():
                for id in known:
                    if id in catalog.texts:
                        found.setdefault(catalog.texts[id].casefold(), id.removeprefix(NAME))
        return found

    def say(
        self,
        message: Message | str | list[Plain],
        language: str = ENGLISH,
        *,
        who: Callable[[str], str] | None = None,
    ) -> str:
        """A message in a language; `who` gives the names of people that it speaks of."""
        voice = self._voice(language)
        if who is not None:
            voice = Formatter(voice.language, voice.find, who)
        return voice.say(message)

    def compile(self, language: str = ENGLISH) -> dict[str, Compiled]:
        """All that the page needs: the first source's messages, and how values are written."""
        find = self._voice(language).find
        own = self.sources[0]
        ids = {id for code in own if code in (*lineage(language), ENGLISH) for id in own[code]}
        found = {id: find(id) for id in sorted(ids.union(FORMATS))}
        return {id: text for id, text in found.items() if text is not None}

    def _voice(self, language: str) -> Formatter:
        """The voice of a language; only those that there are words in are kept."""
        known = self._voices.get(language)
        if known is None:
            spoken = self.nearest(language)
            known = self._voices.get(spoken) or Formatter(language_of(spoken), self._finder(spoken))
            self._voices[spoken] = known
        return known

    def _finder(self, language: str) -> Find:
        if language == PSEUDO:
            english = self._finder(ENGLISH)
            return lambda id: None if (text := english(id)) is None else pseudo(text)
        codes = dict.fromkeys((*lineage(language), ENGLISH))
        catalogs = [source[code] for code in codes for source in self.sources if code in source]

        def find(id: str) -> Compiled | None:
            texts = (_readable(catalog, id) for catalog in catalogs)
            return next((text for text in texts if text is not None), None)

        return find


def _readable(catalog: Catalog, id: str) -> Compiled | None:
    """The text of a message; None also for a translation that cannot be read."""
    try:
        return catalog.find(id)
    except BadCatalog:
        if catalog.language == ENGLISH:
            raise
        return None


class Folder(Mapping[str, Catalog]):
    """The catalogs that lie in a folder by language, each read when it is first looked for.

    With a prefix they are those of one module among others: `duality.de.json` beside `duality.py`.
    """

    def __init__(self, path: Path, prefix: str = "") -> None:
        self.path, self.prefix = path, prefix
        self._read: dict[str, Catalog] = {}

    @cached_property
    def files(self) -> dict[str, Path]:
        """The file of each language there is."""
        found = sorted(self.path.glob(f"{self.prefix}*.json"))
        named = {file.stem.removeprefix(self.prefix): file for file in found}
        return {code: file for code, file in named.items() if code == language_code(code)}

    def __getitem__(self, language: str) -> Catalog:
        if language not in self._read:
            self._read[language] = Catalog.read(self.files[language], language)
        return self._read[language]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@cache
def words_of(home: str) -> Messages:
    """The words of a package, in the folder `words` beside its modules: `words_of(__package__)`.

    >>> str(words_of("rollwright").msg("field.high", came=7))
    '7 is too high'
    """
    if home in _in_code:
        return _in_code[home]
    if home == HOUSE:
        return Messages(Folder(Path(__file__).parent))
    return Messages(words_in(home), *words_of(HOUSE).sources, home=home)


_in_code: dict[str, Messages] = {}
"""The words of packages whose English is in their code."""


def add_words(home: str, words: Messages) -> None:
    """Let the words of a package be these."""
    _in_code[home] = words
    words_of.cache_clear()


def say(wording: Message | str, language: str = ENGLISH) -> str:
    """A message with the words of its home; one that nobody can say is shown as it is.

    >>> say(words_of("rollwright").msg("field.high", came=1234), "de")
    '1.234 ist zu hoch'
    """
    if isinstance(wording, str):
        return wording
    try:
        return words_of(wording.home).say(wording, language)
    except RollwrightError:
        return repr(wording)


def words_in(home: str) -> Mapping[str, Catalog]:
    """The catalogs beside a package's modules, or beside a module that is no package."""
    try:
        module = import_module(home)
    except (ImportError, TypeError, ValueError):
        raise BadCatalog(f"there is no package {home!r}", would_do="__package__") from None
    places = [Path(file).parent] if (file := getattr(module, "__file__", None)) else []
    places += map(Path, getattr(module, "__path__", ()))
    if places and not hasattr(module, "__path__"):
        stem = Path(str(file)).stem
        if not (places[0] / "words").is_dir() or [*places[0].glob(f"{stem}.*.json")]:
            return Folder(places[0], f"{stem}.")
    return Folder(places[0] / "words") if places else {}


ACCENTED = str.maketrans(
    "aceinorsuyzACEINORSUYZ",
    "áçéíñóřšúýžÁÇÉÍÑÓŘŠÚÝŽ",
)


def pseudo(text: Compiled) -> Compiled:
    """Return a text with accents in brackets; values stay, so that untranslated text is obvious.

    >>> pseudo(compile_text("{n, plural, one {a hit} other {# hits}} in all"))
    ['[', ['n', 'cardinal', {'one': 'á hít', 'other': [['n'], ' hítš']}], ' íñ áll', ']']
    """
    accented = _add_accents(text)
    return f"[{accented}]" if isinstance(accented, str) else ["[", *accented, "]"]


def _add_accents(text: Compiled) -> Compiled:
    if isinstance(text, str):
        return text.translate(ACCENTED)
    parts: list[Part] = []
    for part in text:
        if isinstance(part, str):
            parts.append(part.translate(ACCENTED))
        elif len(part) == 1:
            parts.append(part)
        else:
            parts.append(
                [
                    {key: _add_accents(form) for key, form in held.items()}
                    if isinstance(held, dict)
                    else held
                    for held in part
                ]
            )
    return parts
