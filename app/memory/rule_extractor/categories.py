"""Categories: what part of life a claim is about, why it lasts and whether it is delicate."""

from __future__ import annotations

import re

from app.domain.record import DurableCategory, FactCategory, Sensitivity
from app.memory.rule_extractor.vocabulary import FAMILY, ROLES

_BY_PREDICATE = {
    FactCategory.WORK: "works_at works_in works_from job salary company employer studies school "
    "university college degree major office department project team boss role title deadline",
    FactCategory.PREFERENCE: "likes dislikes loves hates prefers diet eats avoids drinks fear",
    FactCategory.HEALTH: "allergic_to condition medication blood_type weight",
    FactCategory.HOBBY: "plays hobby fan_of collects watches reads interest learns instrument",
    FactCategory.RELATIONSHIP: "spouse partner marital_status lives_with friend child sibling",
}
_CATEGORY = {name: part for part, names in _BY_PREDICATE.items() for name in names.split()}
_LIKING = frozenset(["likes", "dislikes", "loves", "hates", "prefers", "drinks", "eats"])
_LIMIT = re.compile(
    r"\b(?:must|never|can't|cant|cannot|allergic|allergy|intoleran\w+|vegan|vegetarian|halal"
    r"|kosher|"
    r"don't eat|dont eat|alérgic\w+|allergique|allergisch|allergic[oa]|аллерги\w+|алергі\w+|nunca|"
    r"jamais|niemals)\b|过敏|アレルギー|알레르기|حساسية|एलर्जी|alerji",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since|so that)\b", re.IGNORECASE)
_DELICATE = re.compile(
    r"""\b(?:diabet\w*|cancer|tumou?r|hiv|aids|depress\w*|anxiety|bipolar|adhd|autis\w*|epilep\w*
    |asthma\w*|allerg\w*|alérgic\w*|c(?:o)?eliac|intoleran\w*|pregnan\w*|miscarr\w*|abortion|medication
    |meds|antidepress\w*|insulin|metformin|therapy|therapist|psychiatrist|surgery|operation|disorder
    |ptsd|ocd|migraines?|arthritis|dyslexi\w*|deaf|blind|disab\w*|wheelchair|blood\s+pressure|illness
    |disease|gay|lesbian|bi|bisexual|queer|trans|transgender|asexual|pansexual|muslim|christian
    |catholic|jewish|hindu|buddhist|sikh|atheist|religion|religious|faith|debt|debts|loan|mortgage
    |salary|bankrupt\w*|overdraft|owe|arrest\w*|prison|jail|convict\w*|probation|parole|criminal|visa
    |immigra\w*|asylum|undocumented|refugee|addict\w*|alcoholic|sober|rehab|overdose|suicid\w*|iban
    |bank\s+account|allergique|allergisch\w*|аллерги\w*|алергі\w*|alerji\w*|embarazada|enceinte
    |schwanger|incinta|беременна|musulm\w*|deuda|dettes?)\b
    |过敏|アレルギー|알레르기|حساسية|एलर्जी|糖尿|癌|怀孕""",
    re.IGNORECASE | re.VERBOSE,
)
_KIN = FAMILY


def category_of(subject: str, predicate: str) -> FactCategory:
    """The part of life; whatever has no better place is personal."""
    if predicate.startswith("favorite_"):
        return FactCategory.PREFERENCE
    first = subject.replace("_", "/").split("/")
    if any(part in _KIN for part in first):
        return FactCategory.RELATIONSHIP
    if predicate in _CATEGORY:
        return _CATEGORY[predicate]
    if any(part in ROLES for part in first):
        return FactCategory.WORK
    return FactCategory.PERSONAL


def lasting(predicate: str, text: str, value: str | None) -> DurableCategory | None:
    """Why a claim is worth keeping beyond the conversation, where that is plain."""
    if _REASON.search(text):
        return DurableCategory.DECISION_REASON
    if predicate in ("allergic_to", "avoids", "diet") or _LIMIT.search(text):
        return DurableCategory.HARD_CONSTRAINT
    if predicate in _LIKING or predicate.startswith("favorite_"):
        return DurableCategory.IMPLICIT_PREF
    if predicate in ("birthday", "date", "birth_year") or any(c.isdigit() for c in value or ""):
        return DurableCategory.EXACT_VALUE
    return None


def sensitivity_of(text: str) -> Sensitivity:
    """Whether it touches health, faith, sexuality, money, crime or the right to stay."""
    return "sensitive" if _DELICATE.search(text) else "normal"
