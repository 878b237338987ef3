"""What else is said: neutral mentions of the product, names that only look like it, and everyday messages."""

MENTIONS = tuple(
    line
    for line in """
Can someone add {role} to the {product} pilot group before {day}? List: {document}.
Notes from the {product} workshop are in {document}, thanks to {role} for writing them down.
The {product} demo moves to {day} at {time}, same link, {role} takes questions.
{role} will present {product} at the {team} meeting on {day}, there is half an hour for it.
Reminder: {product} onboarding for {team} starts {day} at {time}, bring a laptop.
I uploaded the {product} slides to {place}, version {number}, with new photos.
Which browser do you recommend for {product} on the {team} laptops, and does {role} know?
The {team} group filled in the {product} questionnaire, see {document}.
Please invite {role} to the weekly {product} call, it starts at {time} now.
We booked {place} for the {product} kickoff on {day}, doors open at {time}, lunch included.
Did somebody see the {product} release note for build {number}? {role} wants it.
{product} has a dark theme now, {role} found it under preferences.
Training videos about {product} are linked from {document}, {number} minutes each.
The {product} logo on the poster wants the new colour, says {role}.
Who looks after the {product} backlog while {role} is on holiday until {day}?
Our {team} newsletter will carry a piece on {product} in week {number}.
Just tried the {product} app on the train to {city}, {team} will like it.
{role} asked whether {product} opens spreadsheets with {number} tabs.
Calendar hold for the {product} steering round: {day}, {time}, {place}.
In comparison, {team} people mostly draft their minutes with {product}.
Next {product} user forum takes place in {city} on {day}, tickets from {role}.
Kudos to {role} for the {product} quick reference card, it hangs in {place}!
Die Schulung zu {product} findet am {tag} um {time} in {city} statt, Anmeldung hier.
下周{team_zh}开始试用{product}，资料放在{document}，问题请在{number}号之前告诉大家。
""".splitlines()
    if line.strip()
)
"""24 forms; `{product}` is the canonical name or its alias."""

NEAR_MISSES = tuple(
    line
    for line in """
The badge printer at the expo made {near} out of it, please reprint {number} of them.
{near} in the subject line went straight into the archive of the {team} group.
Somebody typed {near} into the search box and got {number} unrelated hits.
Is {near} in {document} a typo or does it mean something else?
The old brochure from {city} still says {near} on page {number}.
{role} saved the file as {near} and nobody finds it any more.
Autocorrect turned the heading of the {team} agenda into {near} again.
The sticker on the cabinet in {place} reads {near}, whatever that is.
In {city} there is a bakery called {near}, {role} brought samples.
A newsletter about {near} reached the {team} inbox at {time}.
{role} compared it with {near} in a spreadsheet last {day}.
The caption under the group photo says {near}, that was {number} years ago.
""".splitlines()
    if line.strip()
)
"""12 forms; `{near}` is split, hyphenated, accented, a longer word or another product, and never a match."""

ORDINARY = tuple(
    line
    for line in """
Good morning all, the {team} stand-up starts at {time} in {place}.
I put the minutes of {day} into {document}.
Lunch at {time}? {role} suggests the place in {city}.
The build {number} is green again, tests took {number} minutes.
Can {role} review the change before {day}, please?
Train from {city} is late, start without me.
Invoice {number} from the caterer went to accounting on {day}.
The printer near {place} is out of paper again.
Agenda for {day}: hiring, budget, office move, questions.
{role} is out sick, {role} takes the shift at {time}.
Please fill in your hours for week {number} by {day}.
New badge readers in {place} go live on {day}, bring the old badge.
Does anybody have the number of the locksmith in {city}?
The webinar had {number} attendees, recording follows.
Backup of the file server finished at {time} without warnings.
I would rather move the retrospective to {day}, too many conflicts.
Thanks, that fixed it. Closing ticket {number}.
Coffee machine on floor {number} is repaired.
Draft of the press text is in {document}, comments until {day}.
Could the {team} group send {number} chairs to {place}?
Release train leaves on {day} at {time}, freeze the day before.
The customer in {city} signed, congratulations to {role}!
Reading list for the offsite: chapter {number} and the annex.
Please mute yourself when the {team} call gets loud.
We are {number} people for dinner in {city}, table is booked for {time}.
The map in {document} shows the old entrance, use the one at {place}.
Monthly numbers: {number} new tickets, {number} closed.
{role} asks for feedback on the mock-up until {day}.
Parking behind {place} is closed from {day} on.
The mail gateway was slow around {time}, back to normal now.
Who can water the plants in {place} while {role} is away?
I moved the card for ticket {number} to done.
Quick poll: {day} or later for the team photo?
The lawyer wants the signed copy of {document} by {day}.
Power outage in {city} tomorrow, the branch works from home.
Version {number} of the handbook is printed and on its way to {city}.
Interview with the candidate went well, {role} writes the summary.
Please do not restart the test rig, a run with {number} samples is on.
The translation of {document} comes back on {day}.
Travel costs for {city} are approved, book before {day}.
Found a phone in {place}, pick it up from {role}.
Our {team} standing order ends in week {number}.
The survey closes on {day}; {number} answers so far.
Same here, I can join from {time} on.
Let us keep the decision in {document} and move on.
Heads-up: fire drill on {day} at {time}.
The new intern starts on {day}, {role} shows the building.
Security asks to lock screens, also in {place}.
Old laptops leave on {day}, wipe them before.
I will be ten minutes late, {role} has the slides.
Wer hat den Schlüssel für {place} zuletzt gehabt?
Die Rechnung {number} liegt bei der Buchhaltung, bitte bis {tag} freigeben.
Können wir die Besprechung auf {tag} um {time} verschieben?
Danke für die schnelle Hilfe gestern in {city}!
Das Protokoll steht in {document}, Ergänzungen bis {tag}.
Größere Umbauten in {place} beginnen erst in Woche {number}.
请在{number}号之前把材料发给{team_zh}。
会议改到下午{time}，地点不变。
{team_zh}的报告已经放进{document}。
谢谢，问题已经解决，工单{number}可以关闭。
""".splitlines()
    if line.strip()
)
"""60 forms, some of them in German and Chinese; the product never occurs."""

SLOTS = {
    "role": (
        "the trainer",
        "our architect",
        "the analyst on duty",
        "the new colleague",
        "the office manager",
        "our team lead",
        "the librarian",
        "the auditor",
        "our designer",
        "the night shift",
        "the project office",
        "our accountant",
        "the tester",
        "the product owner",
        "our translator",
        "the support desk",
    ),
    "team": (
        "logistics",
        "research",
        "billing",
        "field service",
        "design",
        "warehouse",
        "legal",
        "marketing",
        "quality",
        "facilities",
        "training",
        "data",
    ),
    "team_zh": ("市场部", "研发组", "客服团队", "财务部", "培训组", "质量部"),
    "day": (
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "the 3rd",
        "the 9th",
        "the 14th",
        "the 21st",
        "the 28th",
    ),
    "tag": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag"),
    "place": (
        "room 4",
        "room 12",
        "the annex",
        "the canteen",
        "the shared drive",
        "the south wing",
        "the archive",
        "hall B",
        "the lobby",
        "the wiki",
    ),
    "city": (
        "Graz",
        "Leiden",
        "Uppsala",
        "Porto",
        "Turku",
        "Ghent",
        "Basel",
        "Cork",
        "Brno",
        "Lyon",
        "Aarhus",
        "Trento",
    ),
    "document": (
        "plan-07.md",
        "minutes.txt",
        "the team wiki",
        "handbook.pdf",
        "overview.xlsx",
        "the shared notebook",
        "summary-2.docx",
        "board-paper.pdf",
    ),
}
"""What fills the slots; `{number}`, `{percent}` and `{time}` are drawn."""

PRODUCT = "Velorand"
ALIAS = "VLR-2"
MARKER = "kestrelmark"

NEAR = (
    "Velo rand",
    "VLR 2",
    "Velo-rand",
    "Vel-orand",
    "Vel\u00f3rand",
    "Velo\u0301rand",
    "V\u00e9lorand",
    "Ve\u0301lorand",
    "Velorandia",
    "VLR-20",
    "Velorix",
    "Velorama",
)
"""Split, hyphenated, accented in both encodings, longer words, other products: two or more of each."""
