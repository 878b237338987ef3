"""The held-out wordings of the planted concerns, written after the recipes and the weights were settled."""

from collections.abc import Mapping

from frugal_modes.evidence.generator.concerns import forms

_PRICING = """
For what {product} delivers, the price per head is hard to defend.
Our treasurer calls {product} a luxury that the department cannot afford.
Two cheaper tools together do the job of {product} and leave money over.
The tariff tiers of {product} force us into a package with features nobody opens.
Currency conversion makes {product} dearer for the Nordic branch each time the rate moves.
Accounts wants {product} cancelled unless the terms get friendlier.
"""
_DATA_PRIVACY = """
Our data protection lawyer sees no lawful ground for feeding {product} with private letters.
Secrets of our clients must not end up on a server in another country because of {product}.
Has anyone verified that {product} forgets what was pasted once a chat is over?
A tester pulled salaries out of {product} that belong to another tenant.
The ministry forbids cloud services such as {product} for sensitive case notes.
Until the privacy assessment of {product} is done, medical staff may not touch it.
"""
_RELIABILITY = """
Every Monday {product} is so slow that agents go back to paper.
{product} hung during our board demonstration and had to be restarted.
Messages typed into {product} vanish when two of us edit together.
We cannot rely on {product} at the end of a quarter, it buckles under load.
Independent monitoring shows {product} offline for {number} hours this week.
Search inside {product} spins forever and returns an empty list.
"""
_ANSWER_QUALITY = """
{product} put the wrong year into most headings of the report.
I would not trust {product} with arithmetic, it adds columns incorrectly.
What {product} writes about our own machines is pure fiction.
{product} mixes up two customers who share a surname.
Experts had to correct {product} {number} times in one afternoon.
The explanations {product} offers are too shallow to be useful for engineers.
"""
_LOCK_IN = """
The longer we build on {product}, the harder switching becomes.
All our templates sit inside {product} and cannot be downloaded in bulk.
{product} holds our history hostage, only fragments come out.
Our staff know nothing but {product} by now, and that troubles the directors.
Cancelling {product} early triggers a penalty of {number} thousand.
No other supplier could step in for {product} tomorrow.
"""

HELD_OUT: Mapping[str, tuple[str, ...]] = {
    "pricing": forms(_PRICING),
    "data_privacy": forms(_DATA_PRIVACY),
    "reliability": forms(_RELIABILITY),
    "answer_quality": forms(_ANSWER_QUALITY),
    "lock_in": forms(_LOCK_IN),
}
