"""A machine that drives memory in any order and watches every commit it makes.

`sayings` is what two people say, `answers` what a model answers, `faults` what goes wrong, `house`
the product over a database that can fail, `ledger` what must be true of every commit, `acts` what
can happen, `machine` the rules.
"""
