package import GateModel

/// What a small window on the desktop says when something was refused to a program that has no terminal, such as a mail
/// program whose link does not open. Children and parents read it, so it says what happened and what to do now, and
/// leaves out what helps only at a terminal.
package struct RefusalNotice: Hashable, Sendable {
    package enum Subject: Hashable, Sendable, CaseIterable {
        case page
        case program
        /// More time in a session.
        case sessionTime
    }

    /// What did not happen: "The page was not opened." Or that it waits: "A grown-up has been asked."
    package let heading: String
    package let sentence: String

    /// `nil` if the person knows already, because they closed the question themselves.
    package init?(_ error: GateError, _ subject: Subject) {
        guard let sentence = Self.sentence(error, subject) else { return nil }
        self.sentence = sentence
        heading =
            switch (error.reason, subject) {
            case (.asked, _): localized("A grown-up has been asked.")
            case (_, .page): localized("The page was not opened.")
            case (_, .program): localized("The program was not started.")
            case (_, .sessionTime): localized("You did not get more time.")
            }
    }

    private static func sentence(_ error: GateError, _ subject: Subject) -> String? {
        switch error.reason {
        case .dismissed:
            error.parameters["by"] == nil
                ? nil : localized("The question was closed without an answer. Ask again when a grown-up has time.")
        case .noPresenter: nobodyAsked(error.parameters["what"])
        case .asked:
            switch subject {
            case .page: localized("You can open this page as soon as a grown-up says yes. Open it again then.")
            case .program: localized("You can start this program as soon as a grown-up says yes. Start it again then.")
            case .sessionTime: localized("You get more time as soon as a grown-up says yes.")
            }
        case .refused where error.parameters["until"] == "tomorrow":
            waiting(localized("A grown-up said: not until tomorrow."), error)
        case .refused: waiting(localized("A grown-up said no."), error)
        case .wrongAnswer: waiting(localized("Wrong answer."), error)
        case .lockedOut: waiting(localized("Too many answers were wrong or missing."), error)
        case .notParent: localized("This needs parent mode. A grown-up has to enter it first.")
        case .expired: localized("Nobody answered in time. Ask again when a grown-up is there.")
        case .outOfHours where error.parameters["more-time"] != nil:
            ScheduleWords.closed(error.parameters, isOnDesktop: true)
        case .closed, .endedByPeer: localized("The question was taken back. Try it again.")
        case .denied:
            localized("The rules of this device do not allow this. A grown-up can change them.")
        case .notSetUp where error.parameters["what"] == "passcode":
            localized("A grown-up has to choose a passcode first: `sudo gatectl setup`.")
        case .badPolicy:
            localized("The rules of this device have mistakes. Tell a grown-up: `gatectl policy check` lists them.")
        case _ where error.code == .unavailable && error.parameters["what"] == "sandbox": RefusalText.sentence(error)
        case _ where error.code == .unavailable && error.reason == .unspecified:
            localized("Gate does not answer, so nobody can be asked. Tell a grown-up: `gatectl doctor` says why.")
        case _ where error.code == .notFound && subject == .page:
            localized(
                "There is no browser to open it with. Tell a grown-up: `browser:` in Gate's policy names one.")
        case _: RefusalText.sentence(error)
        }
    }

    /// No screen could show what is missing, a presentation of the kind that the refusal's parameter `what` names.
    /// `gatectl doctor` tells parents how to have one.
    private static func nobodyAsked(_ what: String?) -> String {
        switch what {
        case "sign-in":
            localized("Somebody has to sign in first, and no screen can ask for that. Tell a grown-up.")
        case "paywall":
            localized("This has to be bought first, and no screen can show how. Tell a grown-up.")
        case "form":
            localized("A form has to be filled in first, and no screen can show it. Tell a grown-up.")
        case _:
            localized(
                "A grown-up has to allow this, but no screen is on where they can be asked. Tell a grown-up: `gatectl doctor` says what is missing."
            )
        }
    }

    /// The sentence, followed by how long to wait if waiting is necessary.
    private static func waiting(_ sentence: String, _ error: GateError) -> String {
        guard let wait = error.retryAfter, wait > .zero else { return sentence }
        return "\(sentence) \(localized("Try again in {duration}.", ["duration": DurationWords.text(wait)]))"
    }
}
