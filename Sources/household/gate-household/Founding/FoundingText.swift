import GateHousehold
import GateModel
import GateTexts

/// The sentences and exit statuses for errors of founding and joining.
enum FoundingText {
    static func sentence(_ error: FoundingError) -> String {
        switch error {
        case .badCode:
            localized(
                "There is a mistake in the code. Look at it once more: it is seven groups of five characters, then @ and the name of the broker."
            )
        case .badCodeGroup(let number, let text):
            localized(
                "There is a mistake in group {number} of the code, {group}. Look at it once more.",
                ["number": "\(number)", "group": text])
        case .badRecoveryKey:
            localized("There is a mistake in the recovery key. Look at it once more: it begins with GATE-RECOVERY.")
        case .broker(let why), .brokerRefuses(let why): why
        case .otherAuthority:
            localized(
                "The broker does not have the household that this code belongs to. Is the code still valid, and is this the right broker? Otherwise somebody may be intercepting the connection."
            )
        case .noAnswer:
            localized(
                "The inviting device does not answer. The code may have been used, or be older than ten minutes. Make a new one: `gatectl household invite`."
            )
        case .refused(let refusal): sentence(refusal)
        case .badAnswer(let part):
            localized(
                "The inviting device's answer could not be verified ({part}). Nothing was changed.", ["part": part])
        case .exists:
            localized(
                "This device belongs to a household already. Leave it first (`gatectl household leave`), or replace it with `--replace`."
            )
        case .none:
            localized("This device belongs to no household. Create one, or join one: `gatectl household join`.")
        case .noKey:
            localized(
                "This device does not have the household's key. Do this on the device that created the household.")
        case .file(let path, let problem):
            "\(path): \(problem)"
        case .badFile(let path):
            localized("{path} is damaged, or belongs to another household. Nothing was changed.", ["path": path])
        case .policy(let problems): problems.joined(separator: "\n")
        case .replaced(let number):
            localized(
                "This device is not on the household's newest list, {number}: another device has the household's key now. Nothing was changed. Do it there.",
                ["number": "\(number)"])
        case .overtaken:
            localized("gated knows a newer list than this one, so the other devices were not told of it. Try again.")
        case .unknownDevice(let name):
            localized("The household has no device '{name}'. `gatectl household devices` lists them.", ["name": name])
        case .ambiguousDevice(let name):
            localized("More than one device is called '{name}'. Give its id.", ["name": name])
        case .ownDevice:
            localized("This device has the household's key, so it can't revoke itself. Use `gatectl household leave`.")
        case .hasKey:
            localized(
                "This device has the household's key. Without it and without the recovery key nobody can change the household. If you mean it, say `gatectl household leave --with-the-key`."
            )
        case .noList:
            localized(
                "The broker has no list of the household's devices. If it has lost it, say `--without-list`; then all devices have to join anew."
            )
        case .full: localized("The household has no room for more devices; revoked ones count, too.")
        case .policyTooLarge(let count):
            localized(
                "The policy has {count} bytes, as it is signed. At most {limit} are taken: make a form or a question bank smaller.",
                ["count": "\(count)", "limit": "\(HouseholdLimits.policyBytes)"])
        case .tooManyFiles:
            localized(
                "The policy has more than {count} files. Put some of them together.",
                ["count": "\(HouseholdPolicy.maximumFiles)"])
        case .late: localized("Nobody used the code in time. Make a new one: `gatectl household invite`.")
        case .notAdmitted(let name, .declined):
            localized(
                "{name} was not admitted. Its code can't be used again: for another attempt, run `gatectl household invite`.",
                ["name": name])
        case .notAdmitted(let name, let refusal):
            localized("{name} was refused: {problem}", ["name": name, "problem": sentence(refusal)])
        case .joinPortClosed(let host, let port, let commands):
            ([
                localized(
                    "Nothing listens at {host}:{port}, the broker's port for joining: it is open only while somebody is invited, and this device can't open it itself. Open it there, as root, then try again. The first two commands are needed once, with these files of this device.",
                    ["host": host, "port": "\(port)"])
            ] + commands.map { "  \($0)" }).joined(separator: "\n")
        case .needsTerminal:
            localized(
                "Before a device is admitted somebody has to say yes. Run it on a terminal, or say `--yes`: then anyone who has the code is admitted."
            )
        case .needsRoot:
            localized("Only root may change the household of this device. Put sudo before the command.")
        case .busy:
            localized("Another command changes the household of this device. Once it has ended, try again.")
        }
    }

    private static func sentence(_ refusal: JoinRefusal) -> String {
        switch refusal {
        case .used: localized("Another device has used this code. Make a new one: `gatectl household invite`.")
        case .malformed:
            localized("The inviting device does not understand this one. Are both of the same version of Gate?")
        case .key:
            localized(
                "The inviting device does not accept this one's certificate request. Are both of the same version of Gate?"
            )
        case .listed:
            localized(
                "This device is on the household's list already. Revoke it there first: `gatectl household revoke`. If it is a copy of another device's disk, say `--replace --new-key` here instead."
            )
        case .full: sentence(.full as FoundingError)
        case .name:
            localized(
                "Another device of the household has this name, or one that looks like it. Take another name.")
        case .declined: localized("The inviting device does not admit this one: somebody has said no.")
        }
    }

    /// The same statuses as gatectl's: docs/shell.md.
    static func status(_ error: FoundingError) -> Int32 {
        switch error {
        case .badCode, .badCodeGroup, .badRecoveryKey, .badAnswer, .badFile, .policy, .policyTooLarge, .tooManyFiles,
            .unknownDevice,
            .ambiguousDevice,
            .otherAuthority:
            65
        case .refused, .notAdmitted, .exists, .none, .noKey, .ownDevice, .hasKey, .noList, .full, .replaced: 1
        case .needsTerminal: 64
        case .broker, .brokerRefuses, .joinPortClosed, .file: 69
        case .noAnswer, .late, .busy, .overtaken: 75
        case .needsRoot: 77
        }
    }
}
