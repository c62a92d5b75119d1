import GateModel

/// The refusals of a sign-in, in words for the person who reads them. They don't say if name or password was wrong.
extension GateError {
    /// - Parameter lock: how long this locked its user out; `nil`: it did not.
    static func wrongPassword(lockedOutFor lock: Duration?) -> GateError {
        let message =
            lock.map { "Wrong name or password. Try again in \($0.shortText)." } ?? "Wrong name or password."
        return GateError(.unauthenticated, .wrongPassword, message, retryAfter: lock)
    }

    /// - Parameter field: the empty field.
    static func empty(_ field: String) -> GateError {
        invalid(field, "Give a name and a password; neither may be empty.")
    }

    /// - Parameter field: the field with the name.
    static func noAccountName(_ field: String) -> GateError {
        invalid(
            field,
            "A name has at most \(GateAccount.maximumNameByteCount) bytes, in one line, without spaces at its ends, control "
                + "characters, or invisible or unassigned ones.")
    }

    static let noBirthday = invalid(
        "account.child.born",
        "A child's date of birth is a day of the past. Is the clock of this device right?")

    static let authenticating = GateError(
        .failedPrecondition, .authenticating, "This user is signing in just now. Wait for the result.")

    static let authenticatingTookTooLong = GateError(
        .deadlineExceeded, .expired, "Checking the password took too long. Try again.")

    static func signedIn(_ name: String) -> GateError {
        GateError(
            .failedPrecondition, .signedIn, "\(name) is signed in. Log out first: `gatectl logout`.",
            parameters: ["account": name])
    }

    static func accountExists(_ name: String) -> GateError {
        GateError(
            .failedPrecondition, .exists, "There is an account '\(name)' already. Choose another name.",
            parameters: ["account": name])
    }

    static func accountChanged(_ name: String) -> GateError {
        GateError(
            .aborted, .changedMeanwhile,
            "The account '\(name)' has changed since you read it. Look at it again: `gatectl accounts`.",
            parameters: ["what": "account", "name": name])
    }

    static func noAccount(_ name: String) -> GateError {
        GateError(
            .notFound, .unknown, "There is no account '\(name)'. See them with `gatectl accounts`.",
            parameters: ["what": "account", "name": name])
    }

    static let grownUpsAccount = GateError(
        .permissionDenied, .notPermitted, "Only an administrator may do that to a grown-up's account.",
        parameters: ["what": "grown-ups-account"])

    static let tooManyAccounts = GateError(
        .resourceExhausted, .limit, "There are \(Limits.accounts) accounts, and no room for more. Remove one.",
        parameters: ["what": "accounts", "maximum": "\(Limits.accounts)"])

    static let tooManyUnconfirmedAccounts = GateError(
        .resourceExhausted, .limit,
        "\(Limits.unconfirmedAccounts) accounts wait for an administrator to confirm them: `gatectl accounts confirm NAME`.",
        parameters: ["what": "unconfirmed-accounts", "maximum": "\(Limits.unconfirmedAccounts)"])

    static let passwordInHand = GateError(
        .failedPrecondition, .authenticating,
        "A password for this is being checked just now. Wait for the result.")

    static let tooManyPasswords = GateError(
        .resourceExhausted, .limit, "Too many passwords are being checked just now. Try again in a moment.",
        parameters: ["what": "passwords"])
}
