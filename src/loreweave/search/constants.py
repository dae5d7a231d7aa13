"""Every number that ranking hangs on, in one place, each with where it comes from.

What was chosen by measuring was chosen on development questions only: SciFact's training questions, LoCoMo's first
five conversations, and questions of our own (``docs/benchmarks.md``).
"""

from __future__ import annotations

K1, B = 0.9, 0.4
"""How soon more of the same word counts no more, and how much a long span is held against it: as in Anserini. With 1.2
and 0.75, as in Lucene, LoCoMo's R@1 is 0.025 lower on the first five conversations, and SciFact's nDCG@10 0.004."""

METADATA = 0.3
"""What a word in title, headings, tags, aliases, ``about`` or folder counts for beside one in the text. Most of these
words stand in the text as well: with 0.6 nDCG@10 on SciFact's training questions is 0.005 lower, with 0 it is 0.003."""

BESIDE = {-2: 0.1, -1: 0.2, 1: 0.1, 2: 0.05}
"""The shares that a span has in the text scores of the spans before and after it in its note: on LoCoMo's first five
conversations R@5 is 0.63 with them, 0.62 with the next alone, 0.58 without."""

SURROUNDINGS, AROUND = 0.5, 6
"""The share that a span has in what its surroundings say, each word where it is said best, and how many spans these are
before it, and after it. On the same conversations R@5 is 0.67 with it, 0.63 without; shares from 0.3 to 0.7 and 3 to 8
spans do alike, 50 a little worse. Headings taken out of four real vaults find their sections a little sooner, too.
"""

AT_HAND = 4_000
"""Up to how many postings a question is ranked from all of them; of more, the database first finds the best."""

DEPTH = 100
"""How many spans of each list are fused. With 20 a span that is good in every list, best in none, is lost."""

WIDENED = 2_000
"""The depth for a question whose first spans are so many copies of a few that the answer would not be filled."""

HEAD, BETWEEN = 1.5, 60
"""How many times as many spans are scored with what is around them as are fused; beside how many of them, the best by
themselves, others may rise."""

FUSION = 8
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), who have 60. On 180 questions of
LoCoMo's first four conversations R@1 / R@5, asked with a second wording of half its words: 0.36 / 0.61 with 60,
0.36 / 0.64 with 15, 0.38 / 0.67 with 8; with one of another subject: 0.08 / 0.20, 0.17 / 0.46, 0.21 / 0.54; asked once
0.42 / 0.67."""

LEAST_VOTE = 0.5
"""The vote that a wording has however badly it is answered; the best answered has a whole one. On our own questions in
several wordings Hit@1 is 0.63 so, as with 0.3 and 0.7, and 0.38 where all votes are whole; on those held back R@5 rises
from 0.86 to 1."""

NEAR = 0.1
"""What each standard deviation that a span is nearer in meaning than the mean adds to its score for a wording, as a
share of the best score that words have. As a list of its own, fused with that of the words by rank, nearness costs more
than it gives: on LoCoMo's first five conversations R@1 falls from 0.38 to 0.29, and so it rises to 0.39; on SciFact's
training questions nDCG@10 is 0.710 and so 0.733."""

NEAR_BESIDE = {-2: 0.2, -1: 0.4, 1: 0.2, 2: 0.1}
"""The shares that a span has in how near those are that stand before and after it in its note."""

NEAREST, NEAR_TOLD = 200, 10
"""How many spans count as near to a wording, and how many of them are told so where words found them too."""

PHRASE, WITHIN, ORDERED = 0.2, 3, 30
"""What two words of a wording add that follow each other within three words of a text, of their mean weight; and how
many spans of each list, the best first, are read for it. On the same conversations R@1 is 0.007 higher so."""

LOOKED_AT = 40
"""How many of the first spans are read, at least, from which the answer is taken."""

FIRST, REACHED = 3, 2
"""By how many places what words found and what links reach take turns."""

SPREAD = 16
"""How many of the first passages may give way to each other, so that one note does not crowd out the others."""

CLOSER = 4
"""How many times as many spans as are wanted are held against the first of these for near copies."""

ALIKE = 0.9
"""The Jaccard index of their shingles from which two spans say the same; of ``SHINGLE`` words or signs each."""

SHINGLE = 2

TIMES = 3
"""Of how many times the same text is told apart; more are named as its copies."""

READ = 1_000_000
"""How many postings are read for one wording; the most frequent words of a very long one are left out beyond it."""

UNIT = 1_000_000
"""Scores are summed in millionths, as whole numbers, so that no order of summing shows."""

IN_WINDOW = 3.0
"""What the best span in the window of a question gains, where almost no other is in it.

On the questions with dates of LoCoMo's first five conversations all from 1 to 4 do alike: R@5 from 0.72 to 0.74, and
0.60 without.
"""

DATED = 2
"""How many times as deep the lists of a question with a window are, so that weak matches in it are seen: R@20 of those
questions rises from 0.853 to 0.880; three and five times as deep bring no more.
"""

OLDER = 0.3
"""What the oldest loses of the spans that a question for the newest is about. Our own questions hold from 0.05 on."""

ABOUT = 0.7
"""From which share of the best score of a dated span on a question is about a span. With 0.5 one answer was lost."""

RECALLED, WEIGHTY = 0.1, 0.1
"""What a span that was used gains while nothing of it has faded, and what more it gains in a note that matters most. On
225 questions of LoCoMo's first two conversations a gain of 0.15 of the spans that answer raises R@1 from 0.36 to 0.46;
on questions answered elsewhere it is 0.40 for 0.41, and 0.385 for 0.382 with a tenth of all spans used at random. With
0.3 these lose: R@5 0.645 for 0.684 and 0.646 for 0.664."""

FITTED = 1_000
"""From how many uses, about, the decay is fitted: for speed."""

RESET, STEPS = 0.5, 2
"""The share of a walk over the graph that starts anew at every step, and how many steps it takes: as the predecessor
has it. What is three links away is nobody's neighbour."""

LINK, FACT, MENTION = 1.0, 1.0, 0.7
"""What each kind of edge weighs in the walk: as the predecessor has it."""

ELSEWHERE = 0.5
"""What a link, or a name, in a passage counts for on a line that has no word of the question; measured: 1 is worse."""

BEGUN, NAMED = 10, 1.0
"""How many of the best passages a walk begins at, each at 1 / rank; what a note weighs that the question names."""

BEARERS = 3
"""How many notes of one name a question may ask for by it; of these the one that words find best comes first."""

COMMON, COMMON_SHARE = 20, 0.01
"""A word in small letters names a note where no more spans have it, or no more than this share of all."""

CLOSELY = 3
"""How many of these passages are read for the names that they mention."""

FRONTIER, HUB = 24, 200
"""From how many notes a walk goes on, beside those where it began, and how many links of each it follows: for speed."""

LEAST = 0.04
"""The share of a walk from which on a note is near: as near as by the one link of the second passage; measured."""

PASSED, LINKED = 5, 10
"""How many of the first passages keep their notes from being told of as linked, whatever the limit; how many are."""

SPANS = 1 << 20
"""More than a note has spans: by so much at least the numbers of two notes lie apart."""

KEPT = 100_000
"""Up to how many links, and how many names, whoever asks often keeps in memory."""
