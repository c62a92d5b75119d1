/// The household's broker as a systemd service of its own. In a mosquitto that the family already uses, its settings
/// would apply to everything, or mosquitto would refuse to start: `per_listener_settings` holds for the whole process.
package enum MosquittoService {
    package static let name = "mosquitto-gate"
    package static let fileName = "\(name).service"
    /// The service that runs the broker of an older household, whose files have no unit.
    package static let sharedName = "mosquitto"

    /// The unit. mosquitto keeps its database in the working directory.
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
        NoNewPrivileges=yes
        PrivateTmp=yes
        ProtectHome=yes
        ProtectSystem=strict

        [Install]
        WantedBy=multi-user.target

        """
}
