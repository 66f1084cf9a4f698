"""The published file of signatures: up to date, and the libraries that sign agree with it."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from nacl.signing import SigningKey
from vectors.signatures import PATH, written

from rollwright.table import signatures

FILE = json.loads(PATH.read_text("utf-8"))
BY_NAME = {case["name"]: case for case in FILE["checked"]}


def without_nacl() -> ModuleType:
    """The module as it is where PyNaCl is not installed."""
    path = Path(str(signatures.__file__))
    spec = importlib.util.spec_from_file_location("signatures_in_python", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "nacl", None)
        spec.loader.exec_module(module)
    return module


IN_PYTHON = without_nacl()


def test_both_implementations_are_looked_at():
    """One by libsodium, and one in nothing but Python."""
    assert (True, False) == (signatures.HAS_NACL, IN_PYTHON.HAS_NACL)


@pytest.mark.parametrize("case", FILE["checked"], ids=lambda case: case["name"])
def test_what_is_accepted(case):
    """Both accept exactly what the file says, wherever libraries are known to differ."""
    asked = [bytes.fromhex(case[name]) for name in ("key", "message", "signature")]
    assert case["valid"] is IN_PYTHON.has_valid_signature(*asked)
    assert case["valid"] is signatures.has_valid_signature(*asked)


@pytest.mark.long
def test_the_file_is_up_to_date():
    """It is what the script writes today; run `python -m vectors.signatures` after a change."""
    assert PATH.read_text("utf-8") == written()


def test_each_case_has_a_name_of_its_own():
    """What fails somewhere can be talked about."""
    assert len(FILE["checked"]) == len(BY_NAME)


def test_laxer_rules_would_accept_much_that_is_refused():
    """The file tells apart what libraries are known to differ in."""
    refused = [case for case in FILE["checked"] if not case["valid"]]
    assert any("without cofactor" in case["lax"] for case in refused)
    assert any(["with cofactor"] == case["lax"] for case in refused)
    assert all(case["lax"] for case in FILE["checked"] if case["valid"])


@pytest.mark.parametrize("case", FILE["signed"], ids=lambda case: case["signature"][:16])
def test_what_is_signed_follows_from_seed_and_message(case):
    """RFC 8032 leaves nothing to chance; libsodium makes the same bytes."""
    key = SigningKey(bytes.fromhex(case["seed"]))
    assert case["key"] == key.verify_key.encode().hex()
    assert case["signature"] == key.sign(bytes.fromhex(case["message"])).signature.hex()
