let audio: AudioContext | undefined;

/** Sounds a short high tone for something done, or two low ones for something refused. */
export function beep(done: boolean): void {
  try {
    audio ??= new AudioContext();
    audio.resume();
    if (done) sound(audio, 1320, 0);
    else for (const after of [0, 0.16]) sound(audio, 220, after);
  } catch {
    // A computer without sound.
  }
}

function sound(on: AudioContext, hertz: number, after: number): void {
  const tone = on.createOscillator();
  const volume = on.createGain();
  tone.type = 'square';
  tone.frequency.value = hertz;
  volume.gain.value = 0.06;
  tone.connect(volume).connect(on.destination);
  tone.start(on.currentTime + after);
  tone.stop(on.currentTime + after + 0.1);
}
