/// The household's brokers as systemd services of their own. In a mosquitto that the family already uses, their
/// settings would apply to everything, or be refused: `per_listener_settings` holds for the whole process.
package enum MosquittoService {
    package static let name = "mosquitto-gate"
    package static let fileName = "\(name).service"
    /// The broker for devices that join, on a machine other than the inviting device.
    package static let joinName = "mosquitto-gate-join"
    package static let joinFileName = "\(joinName).service"
    /// The service that runs the broker of an older household, whose files have no unit.
    package static let sharedName = "mosquitto"

    /// The unit of the members' broker. mosquitto keeps its database in the working directory. systemd's own limit,
    /// 1,024 open files, would be too few for the 10,000 devices that a household may have.
    package static let unit = """
        [Unit]
        Description=The MQTT broker of Gate's household
        After=network-online.target
        Wants=network-online.target

        [Service]
        User=mosquitto
        StateDirectory=\(name)
        StateDirectoryMode=0700
        WorkingDirectory=/var/lib/\(name)
        ExecStart=/usr/sbin/mosquitto -c \(MosquittoConfiguration.defaultFolder)/gate.conf
        ExecReload=/bin/kill -HUP $MAINPID
        Restart=on-failure
        LimitNOFILE=32768
        NoNewPrivileges=yes
        PrivateTmp=yes
        ProtectHome=yes
        ProtectSystem=strict

        [Install]
        WantedBy=multi-user.target

        """

    /// The unit of the broker for devices that join. A person starts it for an invitation. It ends by itself some
    /// minutes after the code, and nothing starts it again.
    package static let joinUnit = """
        [Unit]
        Description=The broker for devices that join Gate's household, while somebody is invited
        After=network-online.target
        Wants=network-online.target

        [Service]
        User=mosquitto
        ExecStart=/usr/sbin/mosquitto -c \(MosquittoConfiguration.defaultFolder)/join.conf
        RuntimeMaxSec=15min
        LimitNOFILE=\(JoinBroker.openFiles)
        MemoryMax=512M
        NoNewPrivileges=yes
        PrivateTmp=yes
        ProtectHome=yes
        ProtectSystem=strict

        """
}
