import GateClient
import GateModel
import GateScreens
import GateWindows

/// Shows the mark of parent mode on this desktop, and does what its buttons say: parent mode, more time, or child mode. The
/// status icon's menu also has lines with which a child asks for more time.
@GLibLoop
final class ModeMarker {
    private let gate: GateClient
    private var machine = ModeMarkStateMachine()
    private var item: StatusItem?
    private var notice: Notice?
    private var window: ModeWindow?
    private let timer = RedrawTimer()
    private let hasDesktop: Bool
    /// Has the status icon's lines for more time; `nil` on a screen without notifications about time.
    private let time: TimeNotifier?
    /// The lines that the menu has.
    private var moreTime: [MoreTimeLine] = []
    /// Shows the mark on other windows.
    private let changed: @GLibLoop (ModeMark) -> Void

    /// `bus` is `nil` without a session bus, and so without a status icon or a notification. `hasDesktop`: the mark can
    /// have a window of its own. `changed` is called whenever the mark may have changed.
    init(
        _ gate: GateClient, on bus: SessionBus?, hasDesktop: Bool, _ time: TimeNotifier?,
        changed: @escaping @GLibLoop (ModeMark) -> Void
    ) {
        (self.gate, self.hasDesktop, self.time, self.changed) = (gate, hasDesktop, time, changed)
        guard let bus else {
            machine.iconsChanged(areShown: false)
            machine.notificationsChanged(areThere: false)
            return
        }
        item = StatusItem(on: bus, itemContent(mark)) { [unowned self] isShown in
            machine.iconsChanged(areShown: isShown)
            draw()
        } pressed: { [unowned self] number in
            pressedInMenu(number)
        } opening: { [unowned self] in
            time?.menuOpens()
            draw()
        }
        time?.menuChanged = { [unowned self] in draw() }
        notice = Notice(on: bus) { [unowned self] isThere in
            machine.notificationsChanged(areThere: isThere)
            draw()
        } pressed: { [unowned self] number in
            pressed(Self.action(numbered: number))
        } ended: { [unowned self] byPerson in
            machine.notificationEnded(byPerson: byPerson)
            draw()
        }
    }

    var mark: ModeMark { machine.mark(at: .now()) }

    func modeChanged(to mode: ModeState) {
        machine.modeChanged(to: mode)
        draw()
    }

    // MARK: The person

    private static func action(numbered number: Int) -> ModeAction? {
        ModeAction.allCases.indices.contains(number - 1) ? ModeAction.allCases[number - 1] : nil
    }

    private func pressedInMenu(_ number: Int) {
        let line = number - ModeAction.allCases.count - 1
        if moreTime.indices.contains(line) {
            time?.pressed(moreTime[line])
        } else {
            pressed(Self.action(numbered: number))
        }
    }

    private func pressed(_ action: ModeAction?) {
        guard let action = action.flatMap({ machine.pressed($0) }) else { return }
        draw()
        Task {
            var refusal: GateError?
            do throws(GateError) {
                switch action {
                // The daemon sends the question to a presenter, which can be this one.
                case .enter: _ = try await gate.mode.toggle()
                case .longer: _ = try await gate.mode.extend()
                case .lockNow: _ = try await gate.mode.lock()
                }
            } catch {
                refusal = error
            }
            machine.ended(action, refusal: refusal)
            draw()
        }
    }

    // MARK: The mark

    private func draw() {
        let now = BootTime.now()
        let (mark, place) = (machine.mark(at: now), machine.place)
        changed(mark)
        moreTime = time?.menu ?? []
        item?.show(itemContent(mark))
        notice?.show(place == .notification ? Self.noticeContent(mark) : nil)
        if place == .window, hasDesktop {
            let window = window ?? ModeWindow { [unowned self] in pressed($0) }
            window.show(mark)
            self.window = window
        } else {
            window?.close()
            window = nil
        }
        timer.set(to: machine.nextChange(after: now)) { [weak self] in self?.draw() }
    }

    /// The number of a button, counted from 1.
    private static func number(of action: ModeAction) -> Int { (ModeAction.allCases.firstIndex(of: action) ?? 0) + 1 }

    private func itemContent(_ mark: ModeMark) -> StatusItem.Content {
        typealias Line = StatusItem.Content.Line
        let says = [mark.sentence, mark.note].filter { !$0.isEmpty }
        let does = mark.actions.map { Line($0.label, action: Self.number(of: $0), isEnabled: mark.takes($0)) }
        let asks = moreTime.enumerated().map { Line($1.label, action: ModeAction.allCases.count + 1 + $0) }
        // In child mode the icon is there to enter parent mode, so hosts may not hide it.
        return StatusItem.Content(
            title: mark.title, tip: mark.text, padlock: mark.padlock, isPassive: false,
            lines: says.map { Line($0) } + does + asks)
    }

    private static func noticeContent(_ mark: ModeMark) -> Notice.Content {
        Notice.Content(
            title: mark.title, text: mark.text, padlock: mark.padlock,
            buttons: mark.actions.filter(mark.takes).map { Notice.Content.Button($0.label, action: number(of: $0)) },
            stays: true)
    }
}

extension ModeMark {
    /// The lines below the title.
    fileprivate var text: String { [timeLeft, note].filter { !$0.isEmpty }.joined(separator: "\n") }

    fileprivate var padlock: Padlock { isParent ? .open : .closed }
}
