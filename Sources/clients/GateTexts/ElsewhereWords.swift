package import GateModel

/// The words of a presenter that is not to show what is asked: where it is answered (S-15).
package enum ElsewhereWords {
    /// The sentence for a person in front of this presenter.
    package static func sentence(_ elsewhere: PresentationElsewhere) -> String {
        switch elsewhere.place {
        case .screenOfItsOwn: localized("Answer this on Gate's own screen: it comes up now.")
        case .grownUp: localized("A grown-up answers this on their own screen.")
        case .unrecognized: localized("This is answered on another screen.")
        }
    }
}
