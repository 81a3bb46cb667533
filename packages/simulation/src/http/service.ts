import type { OperationFault } from "../faults/fault.ts";
import type { Refusal } from "./refusal.ts";

/** A request as it came over the wire. */
export interface ServiceRequest {
  readonly method: string;
  /** Still escaped, without query. */
  readonly path: string;
  /** Still escaped, without the question mark. */
  readonly query: string;
  /** Names in lower case, repeated ones joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Where the server is, for absolute addresses in answers: `https://localhost:4711`. */
  readonly serverUrl: string;
  /** The client's IP address. */
  readonly client: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export interface ServiceAnswer extends HttpAnswer {
  /** Why the request was refused, if it was. */
  readonly refusal?: Refusal;
}

/** Description of a request for the log and for faults. Contains no secrets. */
export interface RequestDescription {
  readonly path: string;
  /** Method and path with values as `*`, once a route is known. */
  readonly family?: string | undefined;
  readonly query?: string | undefined;
  readonly body?: unknown;
}

/** One of a vendor's interfaces: how it names a request, answers it, and words a refusal. */
export interface Service {
  /** Among several services of a server the first that owns a request answers it. Default: it owns all. */
  readonly owns?: (request: ServiceRequest) => boolean;
  /** Default 4 MiB. A larger body is refused with 413 before it is read. */
  readonly maxBodyBytes?: number;
  /** True if it begins operations that continue after the answer, so that faults may be planned for these. Default: no. */
  readonly operations?: boolean;
  readonly describe: (request: ServiceRequest) => RequestDescription;
  readonly answer: (request: ServiceRequest, fault?: OperationFault) => Promise<ServiceAnswer>;
  readonly refuse: (refusal: Refusal, request?: ServiceRequest) => HttpAnswer;
}
