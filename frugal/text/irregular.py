"""Forms that no stemmer brings together with their word: `bought` is a form of `buy`, `geschrieben` of `schreiben`.

Left out are forms that are also words of their own in one of the two languages: `left`, `saw`, `ground`, `thought`,
`held`, `stand`, `lag`, `Betrieben`. Spelled as `normalise.spelled_out` spells words: lower case, umlauts as two letters.
"""

import re

# A word a line, its forms behind it.
_ENGLISH_VERBS = """
arise arose arisen
awake awoke awoken
become became
begin began begun
bend bent
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank
drive drove driven
eat ate eaten
fall fallen
feed fed
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
give gave given
grow grew grown
hang hung
hear heard
hide hidden
keep kept
kneel knelt
know knew known
leap leapt
learn learnt
lend lent
lose lost
make made
mean meant
meet met
overcome overcame
uphold upheld
withhold withheld
pay paid
ride rode ridden
ring rung
rise risen
run ran
say said
see seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
show shown
shrink shrank shrunk shrunken
sing sang sung
sink sank sunk sunken
sleep slept
slide slid
speak spoken
spend spent
spill spilt
spin spun
spoil spoilt
spring sprang
stand stood
steal stole stolen
sting stung
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear torn
tell told
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
write wrote written
"""
_ENGLISH_NOUNS = """
child children
foot feet
goose geese
knife knives
loaf loaves
mouse mice
shelf shelves
thief thieves
tooth teeth
wife wives
wolf wolves
woman women
"""
# Latin and Greek plurals; `-sis` becomes what the plural and the German word (`Analyse`) come down to.
_LEARNED_NOUNS = """
analyse analysis
appendix appendices
bacterium bacteria
crisis crises
criterion criteria
curriculum curricula
diagnose diagnosis
formula formulae
fungus fungi
hypothese hypothesis
index indices
matrix matrices
maximum maxima
minimum minima
nucleus nuclei
optimum optima
parenthese parenthesis
phenomenon phenomena
prognose prognosis
radius radii
spectrum spectra
stimulus stimuli
synthese synthesis
vertex vertices
vortex vortices
"""
_GERMAN_FINITE = """
beginnen begann begannen
beissen beisst
bleiben blieb blieben
brechen brach brachen bricht
brennen brannte brannten
bringen brachte brachten
denken dachte dachten
empfehlen empfahl empfahlen empfiehlt
entstehen entstand
essen isst
fahren faehrt
fallen fiel fielen faellt
fangen fing fingen faengt
finden fand fanden
gehen ging gingen
gelten gilt galt galten
geniessen genoss
gewinnen gewann gewannen
haengen hing hingen
halten hielt hielten haelt
heissen hiess hiessen
helfen hilft
kennen kannte kannten
kommen kam kamen
laufen lief liefen laeuft
leiden litt litten
lesen las lasen liest
messen misst
nehmen nahm nahmen nimmt
nennen nannte nannten
rennen rannte rannten
rufen rief riefen
schieben schob schoben
schlafen schlief schliefen schlaeft
schlagen schlaegt
schreiben schrieb schrieben
schweigen schwieg schwiegen
schwimmen schwamm schwammen
sehen sah sahen sieht
singen sang sangen
sinken sank sanken
sprechen spricht
springen sprang sprangen
sterben starb starben stirbt
stossen stoesst
tragen traegt
treffen traf trafen trifft
vergessen vergisst vergass
verlieren verlor verloren
wachsen waechst
weisen wies
werfen warf warfen wirft
wissen wusste wussten
ziehen zog zogen
"""
# Behind a prefix only: alone some of them are nouns (`Schloss`, `Hob`, `Riss`).
_GERMAN_FINITE_WITH_PREFIX = """
biegen bog
fliegen flog
fliessen floss
frieren fror
giessen goss
greifen griff
heben hob
leihen lieh
reissen riss
schliessen schloss
steigen stieg
streiten stritt
wiegen wog
"""
_GERMAN_PARTICIPLES = """
beginnen begonnen
biegen gebogen
binden gebunden
bitten gebeten
bleiben geblieben
brechen gebrochen
brennen gebrannt
bringen gebracht
denken gedacht
empfehlen empfohlen
essen gegessen
fangen gefangen
finden gefunden
fliegen geflogen
fliessen geflossen
frieren gefroren
gehen gegangen
gewinnen gewonnen
giessen gegossen
greifen gegriffen
haengen gehangen
heben gehoben
heissen geheissen
helfen geholfen
kennen gekannt
leiden gelitten
leihen geliehen
messen gemessen
nehmen genommen
nennen genannt
reissen gerissen
scheiden geschieden
schieben geschoben
schliessen geschlossen
schneiden geschnitten
schreiben geschrieben
schweigen geschwiegen
schwimmen geschwommen
senden gesandt
singen gesungen
sinken gesunken
sitzen gesessen
sprechen gesprochen
springen gesprungen
stehen gestanden
stehlen gestohlen
steigen gestiegen
sterben gestorben
streiten gestritten
treffen getroffen
trinken getrunken
verlieren verloren
weisen gewiesen
werben geworben
werfen geworfen
wiegen gewogen
ziehen gezogen
zwingen gezwungen
"""
# Words that look like a prefix and a form.
_LOOK_ALIKES = """
befunden begriff begriffen belief entnahmen relent resent uebergriff uebergriffen uebernahmen verdacht vermisst verriss
"""
_LOOK_ALIKES_WITH_ENDINGS = ("bekannt", "bewusst", "unterschieden", "vergessen", "verschieden")
_ENDINGS = ("", "e", "em", "en", "er", "es", "heit", "heiten")
_ENGLISH_PREFIX = re.compile("(fore|mis|out|over|re|under|up|with)(?=...)")
_SEPARABLE_PREFIX = re.compile(
    "(ab|an|auf|aus|bei|ein|fest|heraus|her|hinzu|hin|los|mit|nach|vor|weg|weiter|zurueck|zusammen|zu)(?=ge)"
)
_INSEPARABLE_PREFIX = re.compile("(be|ent|er|miss|ueber|unter|ver|wider|zer)(?=...)")


def _table(lines: str) -> dict[str, str]:
    return {form: word for word, *forms in map(str.split, lines.strip().splitlines()) for form in forms}


_ENGLISH = _table(_ENGLISH_VERBS)
_PARTICIPLES = _table(_GERMAN_PARTICIPLES)
_FINITE = _table(_GERMAN_FINITE)


def _with_endings(forms: dict[str, str]) -> dict[str, str]:
    return {form + ending: word for form, word in forms.items() for ending in _ENDINGS}


_OTHER_WORDS = (
    frozenset(_LOOK_ALIKES.split()) | _with_endings(dict.fromkeys(_LOOK_ALIKES_WITH_ENDINGS, "")).keys()
)
_SEPARABLE = _with_endings(_PARTICIPLES)
_INSEPARABLE = (
    _FINITE
    | _table(_GERMAN_FINITE_WITH_PREFIX)
    | _with_endings(
        {form.removeprefix("ge"): word for form, word in _PARTICIPLES.items() if form.startswith("ge")}
    )
)
FORMS = _SEPARABLE | _FINITE | _table(_ENGLISH_NOUNS) | _table(_LEARNED_NOUNS) | _ENGLISH
"""Forms without a prefix, and the words that they are forms of."""
_WITH_PREFIX = (
    (_ENGLISH_PREFIX, _ENGLISH),
    (_SEPARABLE_PREFIX, _SEPARABLE),
    (_INSEPARABLE_PREFIX, _INSEPARABLE),
)


def dictionary_form(word: str) -> str:
    """Return the word that *word* (Latin letters, spelled out) is an irregular form of; *word* itself if of none.

    >>> dictionary_form("overwritten"), dictionary_form("angefangene"), dictionary_form("unterschrieb")
    ('overwrite', 'anfangen', 'unterschreiben')
    """
    if word in FORMS:
        return FORMS[word]
    for prefix, forms in _WITH_PREFIX:
        if (start := prefix.match(word)) and (found := forms.get(word[start.end() :])):
            return word if word in _OTHER_WORDS else start[0] + found
    return word
