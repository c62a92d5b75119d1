import GateModel

/// Reads `sign-in`: whether people have to sign in, and how long a session lasts.
extension PolicyDraft {
    mutating func readSignIn(_ node: PolicyNode) {
        let keys = ["required", "session", "maximum-session"]
        guard let fields = PolicyFields(node, of: "'sign-in'", keys: keys, &problems) else { return }
        if let value = fields.value("required"), isFirst("sign-in.required", at: value.place),
            let isRequired = value.truth(of: "required", &problems)
        {
            configuration.signIn.isRequired = isRequired
        }
        set(fields, "sign-in", "session", in: PolicyLimits.session) { $0.signIn.session = $1 }
        set(fields, "sign-in", "maximum-session", in: PolicyLimits.session) { $0.signIn.maximumSession = $1 }
    }

    mutating func checkSessions() {
        let rule = configuration.signIn
        guard rule.session > rule.maximumSession,
            unread.isDisjoint(with: ["sign-in.session", "sign-in.maximum-session"]),
            let place = placeToBlame("sign-in.session", "sign-in.maximum-session")
        else { return }
        problems.add(
            "'session' (\(rule.session.textWithDays)) is longer than 'maximum-session' "
                + "(\(rule.maximumSession.textWithDays)). Change one of them.", kind: .businessRule, at: place)
    }
}
