"""What was asked for, how it was answered, and which rules a client has broken."""
import contextlib
import random
import threading


class Answer:
    """One request, and what came of it."""

    def __init__(self, number, hop, method, connection):
        self.number = number
        self.hop = hop
        self.method = method
        self.connection = connection
        # What the client takes for the answer may have been there before.
        self.came_behind_leftovers = connection.has_leftovers
        # Valid, and the decoded body has this length.
        self.whole = False
        self.length = 0
        self.is_redirect = False
        # It doesn't wait for the request's body.
        self.is_early = False
        self.is_done = False
        # Bytes were changed at random: an ID in it may be anything.
        self.scrambled = False
        # The server has said that it did nothing with the request, which may thus be sent again.
        self.refused = False
        self.story = []

    @property
    def may_wait(self):
        """Whether the client is prepared for an answer that never ends."""
        return self.number % 10 == 0

    def entry(self):
        is_whole = self.whole and not self.connection.is_spoilt and not self.came_behind_leftovers
        return {
            "id": self.number, "hop": self.hop, "method": self.method, "connection": self.connection.number, "whole": is_whole,
            "length": self.length, "redirect": self.is_redirect, "scrambled": self.scrambled or self.came_behind_leftovers, "refused": self.refused,
            "story": ", ".join(self.story),
        }


class Connection:
    """What is known of a connection beyond the answers on it."""

    def __init__(self, number):
        self.number = number
        # Nothing on it has to arrive.
        self.is_spoilt = False
        # Bytes that belong to no answer were sent, and on which page of the ledger.
        self.has_leftovers = False
        self.leftover_page = None


class Ledger:
    def __init__(self, seed):
        self.seed = seed
        self.lock = threading.Lock()
        self.page = 0
        self.answers = []
        self.broken_rules = []
        self.connections = 0
        self.under_way = 0
        self.rest = threading.Condition(self.lock)

    def random(self, number, hop):
        return random.Random(f"{self.seed}/{number}/{hop}")

    def connect(self):
        with self.lock:
            self.connections += 1
            return Connection(self.connections)

    def begin(self, answer):
        """A request has come."""
        connection = answer.connection
        with self.lock:
            self.answers.append(answer)
            if connection.leftover_page is not None and connection.leftover_page < self.page:
                # They lay there before the request was sent.
                self.broken_rules.append(
                    f"{answer.method} {answer.number} was sent over connection {connection.number}, "
                    "on which bytes were waiting that belong to nobody")

    def leave_over(self, connection, at_once=False):
        """Bytes that belong to nobody are about to be sent. Unless they come with the end of the answer itself, they may cross the next
        request on its way; but none that follows when all is at rest."""
        with self.lock:
            connection.has_leftovers = True
            if connection.leftover_page is None:
                connection.leftover_page = self.page - 1 if at_once else self.page

    @contextlib.contextmanager
    def work(self):
        """Something that has to be over before the page is turned."""
        with self.lock:
            self.under_way += 1
        try:
            yield
        finally:
            with self.lock:
                self.under_way -= 1
                self.rest.notify_all()

    def turn_page(self):
        with self.lock:
            self.rest.wait_for(lambda: self.under_way == 0, timeout=5)
            answers = [answer.entry() for answer in self.answers]
            broken = self.broken_rules + self.sent_twice()
            self.answers, self.broken_rules = [], []
            self.page += 1
        return {"answers": answers, "brokenRules": broken}

    def sent_twice(self):
        """What may have acted is sent once, unless the server has refused it (RFC 9110, section 9.2.2)."""
        sent = {}
        for answer in self.answers:
            if answer.method in ("POST", "PATCH"):
                sent.setdefault((answer.number, answer.hop), []).append(answer)
        return [
            f"{answers[0].method} {number} (hop {hop}) was sent {len(answers)} times: "
            + "; ".join(f"connection {answer.connection.number}: {', '.join(answer.story)}" for answer in answers)
            for (number, hop), answers in sent.items()
            if sum(not answer.refused for answer in answers) > 1
        ]
