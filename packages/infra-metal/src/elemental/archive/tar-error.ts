/** An archive that cannot be read. */
export class TarError extends Error {}
