package import GateModel

/// What a presenter says about a question that is answered on another screen.
package enum ElsewhereWords {
    package static func sentence(_ elsewhere: PresentationElsewhere) -> String {
        switch elsewhere.place {
        case .screenOfItsOwn: localized("Answer this on Gate's own screen, which opens now.")
        case .grownUp: localized("A grown-up can answer this on their own screen.")
        case .unrecognized: localized("Answer this on the other screen.")
        }
    }
}
