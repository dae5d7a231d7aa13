"""Words that say nothing of what is looked for: they are left out of questions, and only there.

They are English ones, Chinese ones of one character, where that stands alone, and Chinese words by which one asks.
"""

from __future__ import annotations

import re

STOP_WORDS = frozenset(
    """
    a an the this that these those such
    i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would
    and or but if so as than then because while not no nor
    of at by for from in into on onto to with about over under out up off down between during through
    who whom whose what which when where why how
    there here any some all both each other another same
    many much more most less least than very just too also only
    tell show find give get know want need please
    don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't
    i'm i'd i'll i've you're you'd you'll you've he'd he'll she'd she'll it'd it'll we're we'd we'll we've
    they're they'd they'll they've that'd that'll who'd who'll there'd there'll
    的 了 吗 嗎 呢 吧 啊 是 和 与 與 跟 我 你 他 她 它 这 這 那 也 都 就 很
    """.split()
)

between_asking = re.compile(
    "[为為]什[么麼]|[是有]?什[么麼][是样樣]?|怎[么麼][办辦样樣]?|怎[样樣]|如何|[为為]何|哪[个個些里裡儿兒]|是[谁誰]|多少"
    "|是否|能否|能不能|是不是|有[没沒]有|[会會]不[会會]|[吗嗎呢]$"
).split
"""Give what stands before, between and after the words by which a run of Chinese asks."""
