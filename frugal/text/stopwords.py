"""Words that carry grammar rather than content, in English and German: they count only if nothing else is left.

Words are spelled as `normalise.spelled_out` spells them: lower case, umlauts as two letters, no apostrophes.
"""

_ENGLISH = """
a about above across after again against all almost along already also although always am among an and
another any anybody anyone anything are arent around as at away be because been before behind being below
beside besides between beyond both but by came can cannot cant could couldnt did didnt do does doesnt
doing done dont down during each eg either else etc ever every everybody everyone everything few for from
get gets getting goes going gone got had hadnt has hasnt have havent having he hence her here hers
herself him himself his how however i ie if im in indeed into is isnt it its itself ive just let lets
many may maybe me might more most much must mustnt my myself nd neither never no nobody none nor not
nothing now of off often on once one only onto or other others ought our ours ourselves out over own per
perhaps please quite rather rd really same shall shant she should shouldnt since so some somebody someone
something still such th than that the their theirs them themselves then there therefore these they this
those though through throughout thus to together too toward towards under until up upon us use used very
via was wasnt we well went were werent what whatever when whenever where whether which while who whoever
whom whose why will with within without wont would wouldnt yes yet you your youre yours yourself
yourselves
"""

_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf
aus ausser bei beide beiden beim bevor bis bzw da dabei dadurch dafuer dagegen daher dahin damals damit
danach daneben dann daran darauf daraus darf darin darueber darum darunter das dass davon davor dazu dein
deine deinem deinen deiner deines dem demselben den denen denn dennoch denselben der deren derer derselbe
derselben des desselben dessen desto dh dich die dies diese dieselbe dieselben diesem diesen dieser
dieses dir doch dort du duerfen durch eben ein eine einem einen einer eines einig einige einigem einigen
einiger einiges einmal er es etwa etwas euch euer eure eurem euren eurer eures evtl falls fuer gab gar
geben gegen gewesen ggf gibt habe haben hast hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen
ihr ihre ihrem ihren ihrer ihres im immer in indem ins irgend ist ja je jede jedem jeden jeder jedes
jedoch jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines koennen koennte
koennten konnte konnten laesst lassen machen mal man manche manchem manchen mancher manches mehr mein
meine meinem meinen meiner meines mich mir mit moegen muessen muss musste mussten nach nachdem neben nein
nicht nichts nie noch nun nur ob obwohl oder oft ohne schon sehr sei seid sein seine seinem seinen seiner
seines seit selbst sich sie sind so sogar solche solchem solchen solcher solches soll sollen sollte
sollten somit sondern sonst sowie sowohl statt ueber um und uns unser unsere unserem unseren unserer
unseres unter usw viel viele vielen vieler vom von vor waehrend waere waeren wann war waren warst warum
was weder weil weiter welche welchem welchen welcher welches wenn wer werde werden weshalb wessen wie
wieder wieso wieviel wir wird wirst wo wobei wodurch wofuer woher wohin wollen wollte womit worden worin
worueber wovon wozu wuerde wuerden wurde wurden zb zu zum zur zwar zwischen
"""

ENGLISH = frozenset(_ENGLISH.split())
GERMAN = frozenset(_GERMAN.split())
STOP_WORDS = ENGLISH | GERMAN
