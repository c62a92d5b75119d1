import GateModel

/// What is said about other devices of a household.
package enum HouseholdWords {
    /// Why a device did not obey, by its failed check; `nil` if there is no better sentence than the device's own.
    package static func sentence(ofCheck check: String) -> String? {
        switch GuardianCheck(rawValue: check) {
        case .offline: localized("It seems to be offline, and has not confirmed this.")
        case .challenge, .repeated: localized("Something else has changed meanwhile. Send it again.")
        case .expired: localized("Its clock differs from this device's.")
        case .listOver:
            localized("Its list of guardians has expired. Renew it: `sudo gatectl household renew`.")
        case .closed: localized("This question is closed: somebody else has answered it, or its time is over.")
        case .shown: localized("It is asking something else now.")
        case .twin:
            localized(
                "Two devices have its key, and one of them has done it. `gatectl household doctor` there says what to do."
            )
        case .size, .malformed, .algorithm, .signature, .household, .device, .guardian, .revoked, .all, .refused, nil:
            nil
        }
    }

    /// `3 minutes ago`. Less than a minute is "just now", and so is a negative time, if two clocks differ.
    package static func ago(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        switch minutes {
        case ..<1: return localized("just now")
        case ..<60: return localized("{count} minute ago", plural: "{count} minutes ago", count: minutes)
        case ..<(24 * 60): return localized("{count} hour ago", plural: "{count} hours ago", count: minutes / 60)
        case _: return localized("{count} day ago", plural: "{count} days ago", count: minutes / (24 * 60))
        }
    }
}
