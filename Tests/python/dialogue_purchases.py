"""The commands about purchases."""

from dialogue_text import option, seconds_of
from dialogue_words import entitlements_text
from gateclient.values import provider_number


class Purchases:
    """The commands about claims, and about what the store has signed."""

    def __init__(self, programs, script, clients):
        #: By transaction: the product, when it was bought, and when it expires.
        self.purchases = {}
        super().__init__(programs, script, clients)

    def shown_entitlements(self, state):
        return entitlements_text(state, self.wall_since_beginning)

    def entitlements_now(self):
        return self.once(self.anybody(), lambda gate: self.shown_entitlements(gate.entitlements()))

    def do_entitlements(self, line, words):
        return self.entitlements_now()

    def holder(self, name):
        return {"device": {}} if name == "device" else {"account": name}

    def later(self, duration):
        """The time after this duration, in milliseconds since 1970; None: never."""
        return None if duration is None else self.wall_milliseconds + seconds_of(duration) * 1000

    def do_give(self, line, words):
        expires_at = self.later(option(words, "for"))
        fields = {"entitlement": words[0], "holder": self.holder(option(words, "to", "device"))}
        if expires_at is not None:
            fields["expires_at_unix_milliseconds"] = expires_at
        return self.once(
            words[-1], lambda gate: f"given, as manual {gate.raw('Entitlements/AddClaim', fields).name}"
        )

    def do_take_back(self, line, words):
        fields = {"provider": provider_number(words[0]), "name": words[1]}
        return self.said("taken back", words[-1], "Entitlements/RevokeClaim", fields)

    def do_buy(self, line, words):
        person, product, transaction = words[-1], words[0], option(words, "transaction", "1")
        whose = option(words, "of")
        self.purchases[transaction] = product, self.wall_milliseconds, self.later(option(words, "for"))
        return self.submit_transaction(transaction, person, whose)

    def do_refund(self, line, words):
        return self.submit_transaction(words[0], words[-1], None, revoked_at=self.wall_milliseconds)

    def submit_transaction(self, transaction, person, whose, revoked_at=None):
        product, purchased_at, expires_at = self.purchases[transaction]
        signed = self.store.transaction(
            product, transaction, purchased_at, expires_at, signed_at=self.wall_milliseconds, revoked_at=revoked_at
        )
        fields = {"signed_transaction": signed} | ({"holder": self.holder(whose)} if whose else {})
        return self.said("taken", person, "Entitlements/SubmitSignedTransaction", fields)

    def do_unpaid(self, line, words):
        ends_at = self.later(option(words, "grace"))
        signed = self.store.renewal_info(words[0], ends_at, self.wall_milliseconds)
        return self.said("taken", words[-1], "Entitlements/SubmitRenewalInfo", {"signed_renewal_info": signed})

    def do_offer(self, line, words):
        price, period, url = option(words, "price", ""), option(words, "lasting", ""), option(words, "at", "")
        offers = [] if words[1] == "nothing" else [{"product": words[1], "price": price, "period": period, "url": url}]
        fields = {"provider": provider_number("storekit"), "entitlement": words[0], "offers": offers}
        return self.said("offered", words[-1], "Entitlements/ReportOffers", fields)

    def do_put_away(self, line, words):
        return self.said("put away", words[-1], "Presentations/Withdraw", {"id": int(words[0])})
