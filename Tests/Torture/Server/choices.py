"""Which answer a server gives: a valid one or a mutated one, by chance."""


def steps(draft, random, answer, mutated, mutations, variations):
    """`mutated` is the share of mutated answers, from 0 to 1. What was chosen joins the answer's story."""
    answer.whole = random.random() >= mutated
    chosen = random.choice(variations if answer.whole else mutations)
    answer.story.append(chosen.__name__)
    return chosen(draft)
