import type { Hardware } from "../api/hardware.ts";
import type { HardwareIndex } from "../hardware/hardware-index.ts";

/** A request to the services of machines. */
export interface ServiceRequest {
  /** As it was sent, without query. */
  readonly path: string;
  /** Who asks; `undefined` if a proxy sent something that is no address. */
  readonly client: string | undefined;
  /** True for HEAD: nothing but the head of the answer is sent. */
  readonly isHead: boolean;
  /** The header Range, of who wants part of a file. */
  readonly range: string | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Default: plain text. */
  readonly type?: string;
  /** Bytes of a body that is sent piece by piece. */
  readonly length?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The data that routes answer from. */
export interface ServiceSources extends HardwareIndex {
  /** Throws while it cannot be read. */
  readonly userDataOf: (hardware: Hardware) => Promise<Uint8Array>;
}

/** Part of the paths that machines ask for; `undefined`: the path is another's. */
export type ServiceRoute = (
  request: ServiceRequest,
  sources: ServiceSources,
) => ServiceAnswer | undefined | Promise<ServiceAnswer>;

export const text = (body: string | Uint8Array): ServiceAnswer => ({ status: 200, body });

export const refusal = (status: number, body: string): ServiceAnswer => ({ status, body: `${body}\n` });
