"""Finding passages: words, wordings, links and time over the spans of the index. Siblings build the lists it fuses."""
