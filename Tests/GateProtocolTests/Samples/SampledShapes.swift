import GateModel

@testable import GateProtocol

// The shapes that many messages share.

extension EmptyMessage: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self() }
}

extension RevisionReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision())
    }
}

extension CountReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), count: random.number())
    }
}

extension ModeReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), state: random.modeState())
    }
}

extension ModeChallengeReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), state: random.modeState(),
            presentation: random.optional { $0.presentation() })
    }
}

extension SignInReply: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), state: random.signInState())
    }
}

extension PageRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: random.number(), pageToken: random.text())
    }
}

extension ChangesRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(afterChange: random.integer()) }
}

/// What a list can hold.
protocol SampledElement {
    static func sample(using random: inout SplitMix) -> Self
}

extension PageReply: SampledMessage
where Element: SampledElement & MessageMapping, Element.CMessage == CMessage.CElement {
    static func sample(using random: inout SplitMix) -> Self {
        Self(random.array { Element.sample(using: &$0) }, nextPageToken: random.text())
    }
}
