/** Settings that an OS plugin receives once. */
export interface PluginContext {
  readonly workDir: string;
  readonly configPath: string;
  readonly debug: boolean;
}

/** Operations that an agent leaves to the operating system. They have to be idempotent. */
export interface OsPlugin {
  init(context: PluginContext): Promise<void>;
  getHostname(): Promise<string>;
  installHostname(hostname: string): Promise<void>;
  /** `cloudConfig` as the registration has it. */
  installCloudInit(cloudConfig: unknown): Promise<void>;
  install(config: unknown): Promise<void>;
  /** Throws when the host was given other bootstrap data before. */
  bootstrap(data: { readonly format: string; readonly config: string }): Promise<void>;
  /** Returns whether the host has to reboot. */
  reconcileOsVersion(osVersionManagement: unknown): Promise<boolean>;
  /** Makes the next boot the one that resets. */
  triggerReset(): Promise<void>;
  reset(config: unknown): Promise<void>;
  powerOff(): Promise<void>;
  reboot(): Promise<void>;
}
