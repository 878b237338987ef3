"""The planted concerns: how clients word them. Two forms of one category share at most one content stem.

The recipes of the evaluation and the weights of the ranking were settled on the training forms; the held-out forms were
written afterwards and are never looked at while tuning.
"""

from collections.abc import Mapping

CATEGORIES = ("pricing", "data_privacy", "reliability", "answer_quality", "lock_in")
WORDINGS = ("train", "held-out")

_PRICING = """
The renewal quote for {product} came in {percent} percent higher than last year and finance will not sign it.
We pay for {number} {product} seats but barely half the licences are used.
Every extra token in {product} is billed separately, so the monthly invoice swings wildly.
Honestly {product} costs more than hiring {number} junior analysts.
My budget holder asked why {product} became so expensive once the trial was over.
There is a hidden surcharge in {product} whenever a workspace exceeds its quota.
Competitors undercut the {product} price tag by {percent} percent and procurement noticed.
We cannot justify the {product} fee to our board without some volume discount.
The minimum commitment for {product} is far too steep for a small charity like ours.
Overage charges from {product} ate the whole quarterly allowance in {number} days.
Nobody warned us that weekend support for {product} would be a paid extra.
Upgrading {product} doubled our spend while the value stayed flat.
"""
_DATA_PRIVACY = """
Legal wants to know where {product} stores customer records and for how long.
Our privacy officer blocked {product} because prompts leave the European region.
Does {product} train its models on the confidential files we upload?
A colleague could read somebody else's transcript in {product}, that is a serious leak.
We need a signed processing agreement before any personal information goes into {product}.
{product} keeps deleted conversations in backups, which violates our retention policy.
The {product} audit log exposes full names and phone numbers to each administrator.
The works council rejected {product} since it can monitor individual employees.
Please confirm that {product} encrypts everything at rest with keys we control.
Patient identifiers showed up unmasked inside a {product} summary.
Which subcontractors can access what we type into {product}?
Erasure requests against {product} have been open for {number} weeks, our regulator is waiting.
"""
_RELIABILITY = """
{product} was down again for {number} minutes this morning and nobody could work.
Requests to {product} time out whenever more than {number} users are online.
The nightly {product} sync failed for the third run in a row.
Our dashboards freeze because {product} responds so slowly around noon.
Since yesterday's release {product} crashes on opening large attachments.
An outage of {product} ruined a complete shift in the call centre.
We keep seeing error {number} from the {product} gateway without explanation.
{product} loses unsaved drafts when the connection flickers.
The promised uptime of {product} has been missed {number} months in succession.
The status page stayed green while {product} was unreachable from our offices.
Webhooks out of {product} arrive twice or not at all.
Sessions in {product} expire mid-sentence and people have to log in from the start.
"""
_ANSWER_QUALITY = """
{product} invented a clause that does not exist in our contract.
Half of the citations {product} gives point at the wrong paragraph.
Translations by {product} turn polite German letters into rude ones.
It sounds confident, yet {product} was mistaken about {number} totals.
The assistant in {product} ignores the second part of any long instruction.
Summaries from {product} leave out the decisive figures.
Asked the same thing twice, {product} contradicts itself.
Our lawyers found that {product} hallucinates court rulings.
{product} replies are vague and full of filler, testers rated them poor.
For technical tickets {product} suggests outdated fixes from older manuals.
The tone {product} picks is off and reviewers rewrite nearly everything.
The accuracy of {product} dropped noticeably after the last model update.
"""
_LOCK_IN = """
There is no way to get our prompts out of {product} in an open format.
Leaving {product} would mean rebuilding {number} integrations from scratch.
The {product} contract renews itself and the exit window is tiny.
We worry about depending on a single vendor like {product} for core processes.
Exports from {product} drop every comment and tag.
Once workflows live in {product} we can never move them elsewhere.
{product} relies on a proprietary query language, so our skills transfer nowhere.
Switching away from {product} would take {number} months according to the architects.
We asked for a migration path off {product} and received silence.
Connectors coded for {product} cannot be reused with any rival platform.
Termination of {product} implies handing back all fine-tuned weights.
The board fears being trapped with {product} as soon as the old system is retired.
"""


def forms(text: str) -> tuple[str, ...]:
    """Return the sentence forms of *text*, one a line."""
    return tuple(line for line in text.splitlines() if line.strip())


TRAINING: Mapping[str, tuple[str, ...]] = {
    "pricing": forms(_PRICING),
    "data_privacy": forms(_DATA_PRIVACY),
    "reliability": forms(_RELIABILITY),
    "answer_quality": forms(_ANSWER_QUALITY),
    "lock_in": forms(_LOCK_IN),
}


def concern_forms(wording: str) -> Mapping[str, tuple[str, ...]]:
    """Return the forms of each category in *wording*, `train` or `held-out`."""
    if wording == "train":
        return TRAINING
    from frugal_modes.evidence.generator.heldout import HELD_OUT

    return HELD_OUT
