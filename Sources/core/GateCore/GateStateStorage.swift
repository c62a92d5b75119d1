package import GateModel

/// The contents of `GateState`. All copies of a state share one object until one of them changes.
///
/// The fields are many and large, and a state is copied for every command and every answer. A copy costs one reference;
/// a command that changes something copies the fields once. Together they take at most 1,032 bytes: glibc keeps pieces
/// of memory up to that size at hand, and a larger one costs each command 600 instructions more. A large field that
/// seldom changes is `Shared`.
final class GateStateStorage: @unchecked Sendable {
    /// A pointer, because Swift checks each access to a class's stored properties for exclusivity, and these are read
    /// hundreds of times in a command. It is safe: only `GateState`, whose accesses are checked, reaches it.
    let fields: UnsafeMutablePointer<GateStateFields>

    init(_ fields: GateStateFields) {
        self.fields = .allocate(capacity: 1)
        self.fields.initialize(to: fields)
    }

    deinit {
        fields.deinitialize(count: 1)
        fields.deallocate()
    }
}

/// A value that seldom changes. A copy costs one reference, and copies of the same object compare by reference.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

struct GateStateFields: Hashable, Sendable {
    var records: DurableRecords
    var sharedConfiguration: Shared<Configuration>
    var machine: ModeStateMachine = ModeStateMachine()
    var interruptions: RateLimit<Owner> = .ofInterruptions
    var takenCovers: RateLimit<Owner> = .ofTakenCovers
    var requests: RequestBook = RequestBook()
    var queue: PresentationQueue = PresentationQueue()
    var grants: GrantLedger = GrantLedger()
    var signInMachine: SignInStateMachine = SignInStateMachine()
    var passwordChecks: PasswordChecks = PasswordChecks()
    /// The uids of the Unix users on the list of people whose names and uids agree with the user database.
    var recognizedUsers: Set<UInt32> = []
    var isCoverPutAway: Bool = false
    var resolved: Shared<ResolvedEntitlements> = Shared(ResolvedEntitlements())
    var providerHealth: [ClaimProvider: ProviderHealth] = [:]
    var offers: OfferBook = OfferBook()
    var forms: FormBook = FormBook()
    var attachments: AttachmentLedger = AttachmentLedger()
    var householdBook: HouseholdBook = HouseholdBook()
    /// The milliseconds by which the wall clock is ahead of the boot clock.
    var wallClockOffset: Int64 = 0
    var schedules: ScheduleBook
    var allowances: AllowanceBook
    var uses: UseBook = UseBook()
    /// How long the device has slept since its boot.
    var suspendedNanoseconds: Int64 = 0
    /// When the choices about age ranges that hold until the end of a half-year end; `.never` if there are none.
    var ageEnd: WallTime = .never
}

extension GateState: Hashable {
    public static func == (left: GateState, right: GateState) -> Bool {
        left.storage === right.storage || left.storage.fields.pointee == right.storage.fields.pointee
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.fields.pointee)
    }
}

extension GateState {
    /// The fields, for a change. Copies them first if another state shares them.
    private var ownFields: UnsafeMutablePointer<GateStateFields> {
        mutating get {
            if !isKnownUniquelyReferenced(&storage) { storage = GateStateStorage(storage.fields.pointee) }
            return storage.fields
        }
    }

    public internal(set) var records: DurableRecords {
        _read { yield storage.fields.pointee.records }
        _modify { yield &ownFields.pointee.records }
    }
    package internal(set) var configuration: Configuration {
        _read { yield sharedConfiguration.value }
        set { sharedConfiguration = Shared(newValue) }
    }
    var sharedConfiguration: Shared<Configuration> {
        _read { yield storage.fields.pointee.sharedConfiguration }
        _modify { yield &ownFields.pointee.sharedConfiguration }
    }
    var machine: ModeStateMachine {
        _read { yield storage.fields.pointee.machine }
        _modify { yield &ownFields.pointee.machine }
    }
    var interruptions: RateLimit<Owner> {
        _read { yield storage.fields.pointee.interruptions }
        _modify { yield &ownFields.pointee.interruptions }
    }
    var takenCovers: RateLimit<Owner> {
        _read { yield storage.fields.pointee.takenCovers }
        _modify { yield &ownFields.pointee.takenCovers }
    }
    var requests: RequestBook {
        _read { yield storage.fields.pointee.requests }
        _modify { yield &ownFields.pointee.requests }
    }
    package internal(set) var queue: PresentationQueue {
        _read { yield storage.fields.pointee.queue }
        _modify { yield &ownFields.pointee.queue }
    }
    var grants: GrantLedger {
        _read { yield storage.fields.pointee.grants }
        _modify { yield &ownFields.pointee.grants }
    }
    var signInMachine: SignInStateMachine {
        _read { yield storage.fields.pointee.signInMachine }
        _modify { yield &ownFields.pointee.signInMachine }
    }
    var passwordChecks: PasswordChecks {
        _read { yield storage.fields.pointee.passwordChecks }
        _modify { yield &ownFields.pointee.passwordChecks }
    }
    package internal(set) var recognizedUsers: Set<UInt32> {
        _read { yield storage.fields.pointee.recognizedUsers }
        _modify { yield &ownFields.pointee.recognizedUsers }
    }
    var isCoverPutAway: Bool {
        _read { yield storage.fields.pointee.isCoverPutAway }
        _modify { yield &ownFields.pointee.isCoverPutAway }
    }
    var resolved: ResolvedEntitlements {
        _read { yield storage.fields.pointee.resolved.value }
        set { ownFields.pointee.resolved = Shared(newValue) }
    }
    var providerHealth: [ClaimProvider: ProviderHealth] {
        _read { yield storage.fields.pointee.providerHealth }
        _modify { yield &ownFields.pointee.providerHealth }
    }
    var offers: OfferBook {
        _read { yield storage.fields.pointee.offers }
        _modify { yield &ownFields.pointee.offers }
    }
    var forms: FormBook {
        _read { yield storage.fields.pointee.forms }
        _modify { yield &ownFields.pointee.forms }
    }
    var attachments: AttachmentLedger {
        _read { yield storage.fields.pointee.attachments }
        _modify { yield &ownFields.pointee.attachments }
    }
    var householdBook: HouseholdBook {
        _read { yield storage.fields.pointee.householdBook }
        _modify { yield &ownFields.pointee.householdBook }
    }
    var wallClockOffset: Int64 {
        _read { yield storage.fields.pointee.wallClockOffset }
        _modify { yield &ownFields.pointee.wallClockOffset }
    }
    var schedules: ScheduleBook {
        _read { yield storage.fields.pointee.schedules }
        _modify { yield &ownFields.pointee.schedules }
    }
    var allowances: AllowanceBook {
        _read { yield storage.fields.pointee.allowances }
        _modify { yield &ownFields.pointee.allowances }
    }
    var uses: UseBook {
        _read { yield storage.fields.pointee.uses }
        _modify { yield &ownFields.pointee.uses }
    }
    var suspendedNanoseconds: Int64 {
        _read { yield storage.fields.pointee.suspendedNanoseconds }
        _modify { yield &ownFields.pointee.suspendedNanoseconds }
    }
    var ageEnd: WallTime {
        _read { yield storage.fields.pointee.ageEnd }
        _modify { yield &ownFields.pointee.ageEnd }
    }
}
