import Foundation
import GateForms
import GateModel
import GatePolicy
import GateReceipts
import GateScripting
import GateStoreKit

extension FuzzTarget {
    static let policyTargets = [policy, providers, household, formYAML, releaseNotes, certificate]

    /// `policy.yaml`: a policy, or everything that is wrong with it, with its place.
    private static let policy = policyFile("policy.yaml", samples: PolicySamples.policies) { policy in
        _ = (policy.description, policy.configuration.policyLines, policy.roles.description)
    }

    /// `providers.yaml`, beside a policy with the entitlements that it names.
    private static let providers = policyFile(
        "providers.yaml", samples: PolicySamples.providers,
        beside: [PolicySource(name: "policy.yaml", text: "entitlements: {premium: {title: Premium}}\n")]
    ) { policy in
        _ = policy.description
    }

    /// `household.yaml`: the household that this device belongs to.
    private static let household = policyFile("household.yaml", samples: PolicySamples.households) { policy in
        guard let household = policy.configuration.household else { return }
        try promise(policy.description.contains(household.policyLine), "a household that nobody is told of")
        try promise(household.publicKey.count == 32, "a key of another length")
        try promise(
            (household.homeAssistant?.may ?? []).isEmpty == policy.warnings.isEmpty, "a permission without a warning")
    }

    /// A form in YAML; as JSON it is the same form.
    private static let formYAML = policyFile(
        "questionnaires.d/form.yaml", target: "form-yaml", samples: PolicySamples.forms
    ) { policy in
        for form in policy.configuration.forms.values {
            let reader = QuestionnaireReader(fallbackName: "form")
            let kept = reader.questionnaire(try FHIRNode(json: form.json)).questionnaire
            try promise(kept == form.questionnaire, "as JSON it is another form")
        }
    }

    /// What is new in an app.
    private static let releaseNotes = policyFile(
        "release-notes.d/notes.yaml", target: "release-notes", samples: PolicySamples.releaseNotes
    ) { policy in
        _ = policy.configuration.policyLines
    }

    /// A root certificate that providers.yaml names: in DER or PEM, or refused.
    private static let certificate = FuzzTarget("certificate", maximumBytes: 2048, dictionary: "receipts") { random in
        var bytes = random.chance(1, in: 2) ? SigningAuthority.rootDER : SigningAuthority.rootPEM
        if random.chance(3, in: 4) { random.mutate(&bytes) }
        return bytes
    } check: { input in
        let sources = [
            PolicySource(
                name: "providers.yaml",
                text:
                    "storekit: {bundle-ids: [com.example.gate], roots: [root.cer], products: {gate.premium: premium}}\n"
            ),
            PolicySource(name: "policy.yaml", text: "entitlements: {premium: {title: Premium}}\n"),
        ]
        guard let policy = try? PolicyReader.read(sources, rootFiles: ["root.cer": input]),
            let settings = policy.providers.storeKit
        else { return }
        do throws(ReceiptError) {
            _ = try StoreKitVerifier(settings)
        } catch {
            try promise(error.check == .root && !error.message.isEmpty, "a certificate is refused with \(error)")
        }
    }

    /// - Parameters:
    ///   - path: which says how it is read.
    ///   - check: what is promised of a policy that is right.
    private static func policyFile(
        _ path: String, target: String? = nil, samples: [[UInt8]], beside others: [PolicySource] = [],
        check: @escaping @Sendable (Policy) throws -> Void
    ) -> FuzzTarget {
        let name = target ?? String(path.prefix { $0 != "." })
        return FuzzTarget(name, maximumBytes: 6000, dictionary: "yaml") { random in
            var text = random.element(of: samples)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: if random.chance(1, in: 4) { text = Array(random.yamlBomb().utf8) }
            case 1: random.mutate(&text)
            default: random.swapYAMLWords(&text)
            }
            return text
        } check: { input in
            // Bytes that are not UTF-8 are refused when the file is opened.
            guard let text = String(validating: input, as: UTF8.self) else { return }
            let sources = others + [PolicySource(name: path, text: text)]
            let rootFiles = ["roots/AppleRootCA-G3.cer": SigningAuthority.rootDER]
            let policy: Policy
            do throws(PolicyError) {
                policy = try PolicyReader.read(sources, rootFiles: rootFiles)
            } catch {
                try checkProblems(error.problems, of: text)
                return
            }
            try promise(policy.warnings.allSatisfy { !$0.message.isEmpty }, "a warning without words")
            try promise(try PolicyReader.read(sources, rootFiles: rootFiles) == policy, "read again it is another")
            try check(policy)
        }
    }

    /// Each problem is a sentence, with a place that exists.
    private static func checkProblems(_ problems: [PolicyProblem], of text: String) throws {
        try promise(!problems.isEmpty && problems.count <= 100, "refused with \(problems.count) problems")
        // Lines are counted as the parser does: by any of YAML's line breaks.
        let lineCount = 1 + text.unicodeScalars.count { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
        for problem in problems {
            try promise(!problem.message.isEmpty, "refused without a word")
            try promise((1...lineCount + 1).contains(problem.line ?? 1), "\(problem), and there are \(lineCount) lines")
            try promise(problem.column ?? 1 >= 1, "\(problem)")
        }
    }
}
