/** The unit of a service of k3s or RKE2, which starts `program` with its role and flags. */
export const distributionUnit = (service: string, program: string, command: string): string =>
  `[Unit]
Description=${service}
After=network-online.target

[Service]
Type=notify
EnvironmentFile=-/etc/default/%N
EnvironmentFile=-/etc/systemd/system/${service}.env
ExecStart=${program} ${command}
Restart=always

[Install]
WantedBy=multi-user.target
`;
