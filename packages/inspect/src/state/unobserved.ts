/**
 * A change that the status does not name yet. `why`: what keeps the controller from it, empty when no one knows. A known reason comes
 * first, since a controller that fails on the change, or leaves a paused object alone, has seen it.
 */
export const unobserved = (why: string): string =>
  why === ""
    ? "the controller has not observed the last change yet"
    : `${why}; the last change has not taken effect yet`;
