/** How bootstrap data reaches a machine. */
export type DeliveryRoute = "direct" | "gzip" | "object-store";

/** What the cloud accepts as user-data. */
export interface DeliveryLimits {
  /** The measured size must be strictly below this. */
  readonly limitBytes: number;
  /** What is measured against the limit: the bytes before (default) or after base64. */
  readonly measure?: "raw" | "base64";
  /** Whether the machine unpacks gzip user-data. Default: refused. */
  readonly gzip?: "allowed" | "refused";
}

export interface DeliveredBootstrap {
  readonly route: DeliveryRoute;
  /** The bytes to hand to the cloud. */
  readonly bytes: Uint8Array;
  /** The same in standard base64. */
  readonly base64: string;
  /** Size of the original bootstrap data. */
  readonly sizeBytes: number;
  readonly format: string;
}

/** Given to an infrastructure provider's create verb. Nothing is read or stored before `deliver` is called. */
export interface BootstrapDelivery {
  /** Errors: `bootstrap.too_large`, `bootstrap.secret_missing`, `bootstrap.format_unsupported`, `objectstore.*`. */
  deliver(limits: DeliveryLimits): Promise<DeliveredBootstrap>;
}
