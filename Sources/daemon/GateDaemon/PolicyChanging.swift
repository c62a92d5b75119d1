import GateCore
import GateModel
import GatePolicy

/// A requested choice of something in the policy. Computes the policy with this choice, and describes the rule before
/// and after it. Files that were written since the last reload don't count.
protocol PolicyChanging: Sendable {
    associatedtype Response: Sendable

    /// Whether only the response is wanted, and nothing is changed.
    var checkOnly: Bool { get }

    /// - Parameter read: reads the whole policy; it may block.
    func prepared(_ read: PolicyReload.Reading) throws(GateError) -> PreparedChange<Response>
}

/// What a change of the policy starts from.
struct PolicyBasis: Sendable {
    /// The household's policy and the choices in the store when the change was requested.
    let stored: StoredPolicy
    /// This device's files as the last reload before that had read them.
    let files: DevicePolicyFiles?
    /// The policy that was in force when the change was asked for.
    let inForce: PolicyInForce

    /// The policy with a choice.
    ///
    /// - Parameter notation: `nil`: without a choice of this name.
    func with(
        _ name: String, _ notation: String?, _ read: PolicyReload.Reading
    ) throws(GateError) -> PolicyInForce {
        var with = stored
        with.choices[name] = notation
        do throws(BadPolicy) {
            return try read(with, files)
        } catch {
            throw error.error
        }
    }
}

/// A change that can be made.
struct PreparedChange<Response: Sendable>: Sendable {
    let change: GateChange
    let new: PolicyInForce
    /// - Parameter revision: `nil` if nothing was changed.
    let response: @Sendable (_ revision: Revision?) -> Response
}
