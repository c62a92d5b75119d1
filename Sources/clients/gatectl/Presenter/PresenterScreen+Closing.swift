import GateModel
import GateScreens
import GateTexts

/// The note for the person about a presentation that was closed by others.
extension PresenterScreen {
    func closingNote(for closed: Presentation) -> Note {
        switch closed.content {
        case .challenge:
            return Note(text: localized("The question was taken back, or its time was over."))
        case .signIn:
            guard let session = signIn.session else {
                return Note(text: localized("The sign-in was taken back, or its time was over."))
            }
            return Note(text: localized("{name} is signed in.", ["name": VisibleText.line(session.name)]), isGood: true)
        case .paywall(let paywall):
            let isPaid = entitlements.entitlements.contains { $0.id == paywall.entitlement && $0.isActive }
            return isPaid
                ? Note(text: localized("Paid for: {title}.", ["title": ContentText.title(of: paywall)]), isGood: true)
                : Note(text: localized("The paywall was taken back, or its time was over."))
        case .form(let invitation):
            let asked = closed.summary.asked
            // An app's own title could make another sentence of this, which would read like one of Gate's.
            let title = asked.isAppsOwn ? AskedText(closed.summary).title : ContentText.title(of: invitation)
            return form.isCompleted
                ? Note(text: localized("{title} is completed.", ["title": title]), isGood: true)
                : Note(text: localized("The form was completed elsewhere or taken back, or its time was over."))
        case .whatsNew, .unrecognized:
            return Note(text: localized("It was taken back, or its time was over."))
        }
    }
}
