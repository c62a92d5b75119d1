import GateModel
import GatePolicy
import GateTexts
import Glibc

/// What `gatectl setup` says about things that this device can't do, or that other programs do.
enum SetupAdvice {
    /// A sentence for each thing for which a package is missing.
    static func missingPackages(_ situation: SetupSituation) -> [String] {
        [
            (localized("links that ask first"), situation.links),
            (localized("children who ask for more time"), situation.time),
            (localized("Gate's own screen"), situation.screen),
        ].compactMap { thing, offer in
            guard case .unavailable(let package?) = offer else { return nil }
            return localized(
                "For {thing}: `sudo apt install {package}`, then run this again and answer yes.",
                ["thing": thing, "package": package])
        }
    }

    /// Gate does not count the time of a log-in session; timekpr-nExT does.
    static var timeAtTheComputer: String {
        access("/usr/bin/timekpra", X_OK) == 0
            ? localized("`sudo timekpra` limits how long each child may use this device.")
            : localized(
                "To limit how long each child may use this device: `sudo apt install timekpr-next`, then `sudo timekpra`."
            )
    }

    /// Refuses answers that this device can't carry out, before anything is done.
    ///
    /// - Throws: `FAILED_PRECONDITION` with what is missing.
    static func check(_ answers: SetupAnswers, on situation: SetupSituation) throws(GateError) {
        let wanted = [
            ("links", answers.links, situation.links), ("software", answers.software, situation.software),
            ("time", answers.time, situation.time), ("screen", answers.screen, situation.screen),
        ]
        for case (let key, true?, .unavailable(let package)) in wanted {
            let reason =
                if let package {
                    localized("install {package} first", ["package": package])
                } else if geteuid() != 0 {
                    localized("only root can do that")
                } else {
                    localized("this device does not have what it needs")
                }
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: localized("`{key}: true` is not possible: {reason}.", ["key": key, "reason": reason]))
        }
    }
}
