package import GateModel

/// The questions on a screen, except for the sums.
package enum QuestionWords {
    package static var confirm: String { localized("Allow this?") }
    package static var signIn: String { localized("Who are you?") }
    /// Shown if the file of the questions has no text for this one.
    package static var withoutText: String { localized("The question has no text.") }
    package static var passcode: String { localized("Enter the passcode") }
    package static var totp: String { localized("Enter the code from the authenticator") }
    /// It says that a circle has no corners if there is one, because the question is about counting.
    package static func shapes(_ problem: ShapesProblem) -> String {
        (problem.left + problem.right).contains { $0.form == .circle }
            ? localized("How many corners do the shapes have? A circle has none.")
            : localized("How many corners do the shapes have?")
    }

    package static func birthdate(_ calendar: BirthdateCalendar) -> String {
        switch calendar {
        case .gregorian: localized("When were you born?")
        case .buddhist: localized("When were you born, in the Buddhist calendar?")
        case .minguo: localized("When were you born, in the Minguo calendar?")
        }
    }

    package static func hold(_ duration: Duration) -> String {
        localized("Press and hold for {duration}, then release.", ["duration": DurationWords.text(duration)])
    }

    package static func swipe(_ gesture: SwipeGesture) -> String {
        let count = gesture.fingers
        return switch gesture.direction {
        case .left:
            localized("Swipe left with {count} finger.", plural: "Swipe left with {count} fingers.", count: count)
        case .right:
            localized("Swipe right with {count} finger.", plural: "Swipe right with {count} fingers.", count: count)
        case .up: localized("Swipe up with {count} finger.", plural: "Swipe up with {count} fingers.", count: count)
        case .down:
            localized("Swipe down with {count} finger.", plural: "Swipe down with {count} fingers.", count: count)
        }
    }

    /// Why a paywall has nothing to buy: no store is set up.
    package static var notForSale: String {
        localized(
            "This can't be bought on this device, because no store is set up. A grown-up can unlock it by hand.")
    }

    package static func provider(_ provider: ClaimProvider) -> String {
        switch provider {
        case .storeKit: localized("the App Store")
        case .revenueCat: "RevenueCat"
        case .manual: localized("an administrator")
        case .unrecognized: localized("a provider that this version does not know")
        }
    }

    package static func shape(_ form: ShapesProblem.Shape.Form) -> String {
        switch form {
        case .circle: localized("circle")
        case .triangle: localized("triangle")
        case .square: localized("square")
        case .pentagon: localized("pentagon")
        case .hexagon: localized("hexagon")
        }
    }

    /// Like `triangle, square + pentagon`. `sign` stands between the sides, `separator` between the shapes of a side,
    /// and `shape` is the word or the character for a shape.
    package static func sides(
        of problem: ShapesProblem, sign: String, separator: String,
        _ shape: (ShapesProblem.Shape) -> String = { QuestionWords.shape($0.form) }
    ) -> String {
        let sides = [problem.left, problem.right].map { $0.map(shape).joined(separator: separator) }
        return sides.filter { !$0.isEmpty }.joined(separator: " \(sign) ")
    }
}
