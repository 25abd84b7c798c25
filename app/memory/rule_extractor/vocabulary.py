"""The words that the English shapes tell apart: people, pets, properties, jobs, passing states."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


FAMILY = word_set(
    """sister brother sis bro mother mom mum mama mommy mummy father dad daddy papa parent parents
    son daughter kid kids child children baby twin twins wife husband spouse partner fiance fiancé
    fiancee fiancée girlfriend boyfriend gf bf ex grandma grandmother grandpa grandfather granny
    grandad granddad nan nana gran grandson granddaughter grandson grandchild aunt auntie uncle
    cousin nephew niece stepmother stepfather stepmom stepmum stepdad stepsister stepbrother
    stepson stepdaughter godmother godfather godson goddaughter mother-in-law father-in-law
    sister-in-law brother-in-law son-in-law daughter-in-law mil fil friend bestie bff roommate
    flatmate housemate neighbour neighbor mate sibling siblings brothers sisters sons daughters
    wives friends cousins grandparents nephews nieces"""
)
"""People by how they belong to the person."""
ROLES = word_set(
    """boss manager supervisor colleague coworker co-worker teammate teacher tutor professor mentor
    coach trainer doctor gp dentist therapist vet physio counsellor counselor psychiatrist lawyer
    solicitor accountant landlord landlady hairdresser barber nanny babysitter cleaner mechanic
    agent assistant client student intern plumber groomer walker sitter"""
)
"""People by what they do for the person."""
PETS = word_set(
    """dog dogs puppy pup doggo doggy cat cats kitten kitty hamster rabbit bunny parrot budgie
    canary bird fish goldfish turtle tortoise snake lizard gecko iguana horse pony guinea-pig pig
    ferret rat mouse chinchilla hedgehog cow goat sheep donkey hen chicken chickens duck pet pets
    cockatiel axolotl"""
)
BEINGS = FAMILY | ROLES | PETS

POSSESSIONS = word_set(
    """car bike bicycle motorbike motorcycle scooter van truck boat phone laptop computer pc tablet
    camera guitar piano violin keyboard house flat apartment watch tv console bag tent printer
    drone kayak ukulele cello drums trumpet flute saxophone synth telescope caravan camper"""
)
ATTRIBUTES = word_set(
    """name nickname age address email e-mail number job profession occupation title role height
    weight size sign zodiac hometown pronouns timezone password passcode pin code username handle
    nationality religion faith major degree school university college uni company employer hobby
    hobbies passion allergy allergies language tongue diet postcode zip plate desk office gym
    instrument course team project band ethnicity surname initials instagram discord handle
    twitter insta anniversary citizenship department branch station seat locker room gate
    extension iban salary class grade"""
)
"""What "my … is" may be followed by any short value for."""
CODED = word_set(
    """name number code address size type id key email plate sign password pin url version port
    host username branch passphrase extension date deadline nickname callsign codename"""
)
"""Last words of things that have a value of their own: "the command name is deploy-all"."""
NOT_THINGS = word_set(
    """point guess question questions bad god goodness pleasure turn plan plans mood head heart
    back body stomach tummy belly mind brain soul life day days week weekend month year morning
    night evening afternoon problem problems issue issues opinion advice thought thoughts idea
    feeling feelings apologies apology mistake fault luck best worst only answer response reason
    reasons thing things stuff part way internet connection power battery bet understanding
    impression hope hopes dream dreams concern concerns worry worries fear fears experience
    suggestion recommendation favourite favorite choice problem love dear darling friend's own eyes
    face throat leg legs foot feet arm arms hand hands knee knees ear ears nose skin tooth teeth
    neck shoulder shoulders chest lip lips tongue bum butt ass mouth finger fingers toe toes
    voice energy patience world message text english typing spelling grammar take view verdict
    theory argument logic intention aim purpose wish order food lunch dinner breakfast coffee
    screen wifi signal sleep timing schedule situation excuse expectation conclusion hero character
    heroine villain protagonist poor lord word man bro dude apologies condolences sympathies"""
)
"""What "my … is" says something passing or idle about."""
NOT_VALUES = word_set(
    """a an the this that these those it its he she they them him her us we you your yours mine i
    me my our his their to of for with without by at in on from about as like than if when where
    why how what which who whose because so too very really quite pretty just only also still
    already even ever never always sometimes usually often not no none nothing nobody nowhere
    someone somebody something anyone anything everyone everybody everything there here now then
    later today tonight tomorrow yesterday soon again back up down out off over away gone home dead
    alive fine ok okay okey good great bad better best worse worst awesome amazing awful terrible
    horrible nice lovely cute sweet funny weird strange odd crazy insane mad angry upset sad happy
    glad tired exhausted sleepy awake asleep sick ill unwell hurt hurting sore broken fixed lost
    missing late early busy free bored boring annoyed annoying stressed stressful nervous anxious
    scared afraid excited exciting proud jealous lonely alone single hungry thirsty full empty
    drunk high sober cold hot warm freezing wet dry dirty clean messy big small huge tiny long
    short tall old new young fat thin slow fast quick easy hard difficult simple complicated
    important serious true false right wrong correct incorrect sure certain possible impossible
    ready done finished over started coming going leaving waiting working running getting being
    having doing making driving killing kicking raining snowing loud quiet silly stupid dumb
    smart clever pretty beautiful gorgeous ugly hot sexy rich poor cheap expensive perfect
    ridiculous hilarious incredible unbelievable fantastic wonderful brilliant excellent super cool
    lit trash garbage rubbish shit crap shite fucked screwed stuck blocked locked closed open
    offline online dying dead charging lagging slow racing pounding spinning aching on off yes
    yeah yep nope maybe probably definitely absolutely literally actually basically kind sort
    same different similar all both either some any many much more most less least few several
    enough lot lots bit mess joke nightmare disaster pain blast everything gonna gotta wanna
    supposed allowed able unable willing due healthy strong weak calm okay'ish meh pregnant
    engaged married divorced retired unemployed famous popular useless hopeless helpful
    friendly mean rude polite kind generous lazy fun sunny rainy windy cloudy dark bright
    private secret none-of safe dangerous normal usual unusual special available unavailable
    worth sorry welcome outside inside upstairs downstairs upside gross disgusting delicious tasty
    yummy spicy adorable fluffy naughty spoiled spoilt grumpy cranky moody hyper lazy noisy
    visiting moving staying living sleeping eating barking crying screaming yelling fighting
    playing begging acting looking feeling saying telling asking thinking talking calling driving
    named called based located made used born known left hard-working through under between"""
)
"""Words that a name or a thing's value doesn't begin with: small words and passing states."""
EMPTY_NOUNS = word_set(
    """mess joke nightmare disaster pain bit lot jerk idiot asshole dick bitch fool moron saint
    angel legend star genius hero monster beast menace sweetheart darling wreck ghost zombie
    blessing curse dream gem treasure handful riot hoot clown loser liar cheat snob bully boy
    girl thing one piece shame pity problem issue struggle secret surprise miracle failure
    success killer beauty delight treat bore drag must no-no yes plus minus given fact lie myth
    drunk ton tons mystery rollercoaster roller-coaster circus zoo trip journey work challenge
    queen king goddess baby brat diva psycho creep weirdo freak potato couch chore reminder sign
    example"""
)
"""Nouns that judge rather than tell: "my boss is a jerk"."""
JOBS = word_set(
    """nurse doctor surgeon paramedic midwife dentist vet pharmacist therapist psychologist
    psychiatrist physiotherapist physio carer caregiver teacher tutor lecturer professor teaching
    assistant librarian student undergrad postgrad researcher scientist biologist chemist physicist
    mathematician engineer developer programmer coder designer architect analyst administrator
    sysadmin consultant manager director ceo cto founder entrepreneur freelancer contractor
    accountant bookkeeper auditor banker economist lawyer solicitor barrister attorney paralegal
    judge clerk secretary receptionist recruiter salesman saleswoman salesperson cashier barista
    waiter waitress bartender barman chef cook baker butcher farmer gardener florist fisherman
    carpenter plumber electrician builder bricklayer welder mechanic technician painter plasterer
    roofer driver trucker courier postman pilot steward stewardess sailor captain soldier officer
    policeman policewoman cop firefighter fireman guard detective journalist reporter editor writer
    author novelist poet translator interpreter copywriter blogger streamer youtuber photographer
    filmmaker videographer animator illustrator artist sculptor musician singer drummer guitarist
    pianist composer producer dj dancer actor actress comedian model hairdresser barber beautician
    tailor cleaner housekeeper nanny babysitter au-pair coach trainer athlete footballer swimmer
    boxer priest pastor nun imam rabbi politician diplomat civil-servant trader broker agent realtor
    landlord surveyor geologist astronomer archaeologist historian philosopher statistician
    intern apprentice trainee paediatrician pediatrician cardiologist radiologist optician
    optometrist dietitian nutritionist masseur masseuse housewife homemaker pensioner retiree
    veteran conductor logistician planner strategist marketer tester"""
)
COLOURS = word_set(
    """red blue green yellow orange purple violet pink black white grey gray brown beige turquoise
    teal navy gold golden silver cream maroon magenta cyan lilac lavender indigo blonde blond
    ginger burgundy crimson scarlet olive khaki mint"""
)
NOT_NAMES = word_set(
    """american british english irish scottish welsh french german italian spanish portuguese
    polish russian ukrainian turkish greek dutch belgian swiss austrian swedish norwegian danish
    finnish indian pakistani chinese japanese korean vietnamese thai filipino indonesian malaysian
    australian canadian mexican brazilian argentinian colombian chilean peruvian egyptian moroccan
    nigerian kenyan ghanaian ethiopian south iranian iraqi syrian lebanese israeli arab asian
    african european latino latina catholic christian muslim jewish hindu buddhist sikh atheist
    agnostic orthodox protestant romanian hungarian czech slovak slovenian croatian serbian
    bulgarian latvian lithuanian estonian georgian armenian kurdish afghan bangladeshi nepali
    christmas easter ramadan monday tuesday wednesday thursday friday saturday sunday january
    february march april june july august september october november december i i'm im lol haha
    omg wtf brb afk idk tbh hello hi hey thanks thank please sorry bye"""
)
"""Capitalised words that are no name of a person or a pet."""
NATIONALITIES = NOT_NAMES - word_set(
    """south arab catholic christian muslim jewish hindu buddhist sikh atheist agnostic orthodox
    protestant christmas easter ramadan monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december i i'm im lol
    haha omg wtf brb afk idk tbh hello hi hey thanks thank please sorry bye"""
)
IDLE_ADJECTIVES = word_set(
    """new dear lovely beautiful amazing awesome dumb stupid silly sweet cute adorable poor real
    own actual current full little darling gorgeous precious crazy wonderful damn bloody fucking"""
)
"""Adjectives that don't tell one thing from another."""
