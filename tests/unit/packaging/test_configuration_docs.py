"""Every setting is documented, with its real default, in both places; nothing else is."""

import re
from pathlib import Path

import pytest

from app.config import ENV_FILE_KEY, Settings, load_settings
from tests.unit.packaging import ROOT

PAGE = ROOT / "docs" / "configuration.md"
TEMPLATE = ROOT / "config" / "thinkmate.env.example"
KEYS = {name.upper() for name in Settings.model_fields}


def as_text(default: object) -> str:
    """A default the way the page and the template write it."""
    match default:
        case None | ():
            return ""
        case bool():
            return str(default).lower()
        case float():
            return f"{default:g}" if default < 1e6 else f"{default:.0f}"
        case _:
            return str(default)


def page_rows() -> dict[str, list[str]]:
    rows = {}
    for line in PAGE.read_text().splitlines():
        if line.startswith("| `"):
            key, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            key = key.strip("`")
            assert key not in rows, f"{key} is on the page twice"
            rows[key] = cells
    return rows


def template_lines() -> dict[str, str]:
    lines = re.findall(r"^#([A-Z_]+)=(.*)$", TEMPLATE.read_text(), re.MULTILINE)
    assert len(lines) == len(dict(lines)), "a key is in the template twice"
    return dict(lines)


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)


def load_from(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    path.write_text(text)
    monkeypatch.setenv(ENV_FILE_KEY, str(path))
    return load_settings()


def test_the_page_has_exactly_the_keys_that_exist():
    assert page_rows().keys() == KEYS | {ENV_FILE_KEY}


def test_the_template_has_exactly_the_keys_that_exist():
    assert template_lines().keys() == KEYS
    assert ENV_FILE_KEY in TEMPLATE.read_text()


@pytest.mark.parametrize("key", sorted(KEYS))
def test_the_page_gives_the_default_and_explains_the_key(key: str):
    default, *rest = page_rows()[key]
    expected = as_text(Settings.model_fields[key.lower()].default)
    assert default == (f"`{expected}`" if expected else "*empty*")
    assert len(rest) == 3
    assert all(rest), "unit, purpose and example must all be given"


@pytest.mark.parametrize("key", sorted(KEYS))
def test_the_template_gives_the_default(key: str):
    assert template_lines()[key] == as_text(Settings.model_fields[key.lower()].default)


@pytest.mark.usefixtures("clean_environment")
def test_the_template_taken_as_it_is_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    text = "".join(f"{key}={value}\n" for key, value in template_lines().items())
    assert load_from(tmp_path / "env", text, monkeypatch) == Settings(_env_file=None)


@pytest.mark.usefixtures("clean_environment")
def test_every_example_is_a_value_that_works_and_differs_from_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    examples = {
        key: cells[-1].strip("`") for key, cells in page_rows().items() if key != ENV_FILE_KEY
    }
    text = "".join(f"{key}={value}\n" for key, value in examples.items())
    loaded = load_from(tmp_path / "env", text, monkeypatch)
    for name, field in Settings.model_fields.items():
        assert getattr(loaded, name) != field.default, name.upper()
