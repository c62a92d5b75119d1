import GateModel

/// The refusals of a sign-in, in words for the person who reads them. They don't say if name or password was wrong.
extension GateError {
    /// - Parameter lock: how long the wrong password locked the user out; `nil`: it did not.
    static func wrongPassword(lockedOutFor lock: Duration?) -> GateError {
        let message =
            lock.map { "Wrong name or password. Try again in \($0.shortText)." } ?? "Wrong name or password."
        return GateError(.unauthenticated, .wrongPassword, message, retryAfter: lock)
    }

    /// Wrong passwords, or sign-ins that took the screens of others, have locked the user out. The password may be
    /// right.
    static func tooManySignIns(for remaining: Duration) -> GateError {
        GateError(
            .resourceExhausted, .lockedOut,
            "There were too many attempts to sign in. Try again in \(remaining.shortText).", retryAfter: remaining,
            parameters: ["at": "sign-in"])
    }

    static func empty(_ field: String) -> GateError {
        invalid(field, "Give a name and a password; neither may be empty.")
    }

    static func noPersonName(_ field: String) -> GateError {
        invalid(
            field,
            "A name has at most \(GatePerson.maximumNameByteCount) bytes, in one line, without spaces at its ends, control "
                + "characters, or invisible or unassigned ones.")
    }

    static func noBirthday(_ field: String) -> GateError {
        invalid(
            field, "A child's date of birth is a day of the past. Is the clock of this device right?")
    }

    static let authenticating = GateError(
        .failedPrecondition, .authenticating, "This user is signing in just now. Wait for the result.")

    static let authenticatingTookTooLong = GateError(
        .deadlineExceeded, .expired, "Checking the password took too long. Try again.")

    static func signedIn(_ name: String) -> GateError {
        GateError(
            .failedPrecondition, .signedIn, "\(name) is signed in. Sign out first: `gatectl logout`.",
            parameters: ["account": name])
    }

    static func personExists(_ name: String) -> GateError {
        GateError(
            .failedPrecondition, .exists, "There is a person '\(name)' already. Choose another name.",
            parameters: ["account": name])
    }

    static func personChanged(_ name: String) -> GateError {
        GateError(
            .aborted, .changedMeanwhile,
            "What is known of '\(name)' has changed since you read it. Look at it again: `gatectl people`.",
            parameters: ["what": "account", "name": name])
    }

    static func noPerson(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "There is no person '\(name)'. See them with `gatectl people`.",
            parameters: ["what": "account", "name": name])
    }

    static let onlyAdministratorsChange = GateError(
        .permissionDenied, .notPermitted,
        "Only an administrator may do that to a grown-up, or to somebody with a Unix user: use `sudo`.",
        parameters: ["what": "grown-ups-account"])

    static let tooManyPeople = GateError(
        .resourceExhausted, .limit, "There are \(Limits.people) people, and no room for more. Remove one.",
        parameters: ["what": "accounts", "maximum": "\(Limits.people)"])

    static let tooManyUnconfirmedPeople = GateError(
        .resourceExhausted, .limit,
        "\(Limits.unconfirmedPeople) people wait for an administrator to confirm them: `sudo gatectl people confirm NAME`.",
        parameters: ["what": "unconfirmed-accounts", "maximum": "\(Limits.unconfirmedPeople)"])

    static func userTaken(_ user: String, by person: String) -> GateError {
        invalid(
            "person.user", "The Unix user '\(user)' is \(person)'s already. A user belongs to one person.",
            ["user": user, "name": person])
    }

    static func noPersonsUser(_ user: String) -> GateError {
        invalid(
            "person.user.uid",
            "The Unix user '\(user)' is the system's own, and no person's. Name the user that the person logs in as.",
            ["user": user])
    }

    static let sharedNeedsUser = invalid(
        "person.shared", "A shared entry is a Unix user, and nobody's: give it a user, and no password.")

    static let sharedHasNoPassword = invalid(
        "name", "That is a Unix user whom several people share. Each of them can have a password of their own.")

    static let passwordInHand = GateError(
        .failedPrecondition, .authenticating,
        "A password for this is being checked just now. Wait for the result.")

    static let tooManyPasswords = GateError(
        .resourceExhausted, .limit, "Too many passwords are being checked just now. Try again in a moment.",
        parameters: ["what": "passwords"])
}
