/** The bootstrap data of one machine, as a route hands it over. */
export interface BootstrapData {
  /** The original bytes, or what the route's `pack` made of them. */
  readonly bytes: Uint8Array;
  /** Format of the bootstrap Secret: `cloud-config` or `ignition`. */
  readonly format: string;
  /** The Secret it comes from; `undefined` when the user skips bootstrapping and there are no bytes. */
  readonly secret: { readonly namespace: string; readonly name: string; readonly key: string } | undefined;
}

/** The object store of the machine's cluster, as routes see it. */
export interface MachineStore {
  /** Puts the bytes under the machine's key, unless that was done before, and signs a URL that GETs them. The URL is a secret. */
  upload(bytes: Uint8Array): Promise<{ readonly url: string; readonly expiresAt: number }>;
}

/** Context of a machine, passed to a route. */
export interface DeliveryPlace {
  /** `undefined` when the cluster names no object store. */
  readonly store: MachineStore | undefined;
}

/**
 * One way of bootstrap data to a machine. `Value` is what the author gets in order to create the server; routes that hand over
 * user-data give `UserData`. The usual routes are made by functions of `@capstan/kit/delivery`, others are written by the author.
 */
export interface DeliveryRoute<Name extends string = string, Value extends object = object> {
  /** Recorded on the object, and named in refusals. */
  readonly name: Name;
  /** Formats that can travel this way. Default: all that the infrastructure takes. */
  readonly formats?: readonly string[];
  /** Returns the bytes to deliver instead of the original ones. If it throws, the next route is used. */
  readonly pack?: (bytes: Uint8Array) => Uint8Array;
  /** The measured size must be strictly below this. Default: no limit. */
  readonly limitBytes?: number;
  /** The way in which packed data counts towards the limit: bytes before (default) or after base64, or as the author defines. */
  readonly measure?: "raw" | "base64" | ((data: BootstrapData) => number);
  /** Why this way cannot be gone for now, as a clause; `undefined` when it can. Asked only for data that fits. */
  readonly unavailable?: (
    data: BootstrapData,
    place: DeliveryPlace,
  ) => string | undefined | Promise<string | undefined>;
  /** Hands the data over, or makes what the author hands over with the creation. May be called again after a crash. */
  readonly deliver: (data: BootstrapData, place: DeliveryPlace) => Value | Promise<Value>;
}

/** Bytes for the user-data field of a cloud. */
export interface UserData {
  readonly bytes: Uint8Array;
  /** The same in standard base64. */
  readonly base64: string;
}

/** Result of a route: its value, with the facts common to every delivery. */
export type DeliveredBy<Route> =
  Route extends DeliveryRoute<infer Name, infer Value>
    ? { readonly route: Name; readonly sizeBytes: number; readonly format: string } & Value
    : never;

/** Given to an infrastructure provider's create verb. Nothing is read or stored before `deliver` is called. */
export interface BootstrapDelivery {
  /**
   * Delivers by the first route that the data fits, in the author's order of preference. `sizeBytes` of the answer is the size of the
   * original data. Errors: `bootstrap.too_large`, `bootstrap.no_route`, `bootstrap.secret_missing`, `bootstrap.format_unsupported`,
   * `objectstore.*`.
   */
  deliver<const Routes extends readonly DeliveryRoute[]>(routes: Routes): Promise<DeliveredBy<Routes[number]>>;
}
