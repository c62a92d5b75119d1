import GateModel
import GatePolicy

@testable import gatectl

/// A family's laptop: Thomas administers it, Mia does not.
let thomas = DeviceUser(
    name: "thomas", uid: 1000, home: "/home/thomas", fullName: "Thomas Weber", isAdministrator: true)
let mia = DeviceUser(name: "mia", uid: 1001, home: "/home/mia")
let today = CivilDate(year: 2026, month: 11, day: 29)!
let miasBirthday = CivilDate(year: 2015, month: 3, day: 2)!

extension DeviceUser {
    /// The person on the list to whom this user belongs.
    func listed(_ kind: GatePerson.Kind, hasPassword: Bool = false) -> GatePerson {
        GatePerson(
            name: name, kind: kind, user: GatePerson.UnixUser(name: name, uid: uid), hasPassword: hasPassword)
    }
}

/// A laptop on which everything can be turned on, and nothing is yet.
let newLaptop = SetupSituation(
    users: [thomas, mia], links: .off, software: .off, screen: .off)

extension SetupConversation {
    /// Answers all questions in order, and returns them. A passcode is typed if one is asked for.
    mutating func answering(_ answers: [String]) -> [Question] {
        var asked: [Question] = []
        var left = answers[...]
        while let question {
            asked.append(question)
            if question == .passcode {
                passcodeTyped()
            } else if answered(left.popFirst() ?? "") != nil {
                break
            }
        }
        return asked
    }
}
