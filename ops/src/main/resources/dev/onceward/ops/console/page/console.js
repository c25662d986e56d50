'use strict';

// The charts of the overview. Everything else on the pages works without scripts, or through htmx.
(() => {
  const section = document.getElementById('charts');
  if (!section || !window.uPlot) {
    return;
  }
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const interval = 2000;
  let charts = [];
  let data = null;

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const clock = at => new Date(at * 1000).toISOString().slice(11, 19).replace(/:00$/, '');

  const short = unit => value => (value == null ? '–' : value.toFixed(value < 10 ? 2 : 0) + unit);

  function chart(id, unit, series) {
    const place = document.getElementById(id);
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    return new uPlot(
      {
        width: place.clientWidth,
        height: 210,
        tzDate: at => uPlot.tzDate(new Date(at * 1000), 'UTC'),
        cursor: { drag: { x: false, y: false } },
        scales: { y: { range: (self, least, most) => [0, Math.max(most == null ? 1 : most * 1.1, 0.1)] } },
        axes: [{ ...axis, space: 70, values: (self, marks) => marks.map(clock) }, { ...axis, size: 52, values: (self, marks) => marks.map(mark => mark + unit) }],
        series: [
          { label: 'UTC', value: (self, at) => (at == null ? '–' : new Date(at * 1000).toISOString().slice(11, 19)) },
          ...series.map(([label, variable]) => ({
            label,
            stroke: colour(variable),
            width: 2,
            points: { show: false },
            spanGaps: false,
            value: (self, value) => short(unit)(value),
          })),
        ],
      },
      [[], ...series.map(() => [])],
      place
    );
  }

  function build() {
    charts.forEach(one => one.destroy());
    charts = [
      chart('throughput', '/s', [['events in', '--accent'], ['finished', '--second']]),
      chart('latency', ' s', [['relay lag', '--accent'], ['median', '--second'], ['95 %', '--third']]),
    ];
    draw();
  }

  function draw() {
    if (data) {
      charts[0].setData([data.at, data.events_per_second, data.finished_per_second]);
      charts[1].setData([data.at, data.relay_lag_seconds, data.median_seconds, data.p95_seconds]);
    }
  }

  async function renew() {
    if (!document.hidden) {
      try {
        const answer = await fetch(section.dataset.source, { redirect: 'manual', cache: 'no-store' });
        if (answer.type === 'opaqueredirect') {
          // The session has ended; the page itself leads to the sign-in and back.
          window.location.reload();
          return;
        }
        if (answer.ok) {
          data = await answer.json();
          draw();
        }
      } catch (away) {
        // The console is away; the next look may find it.
      }
    }
    window.setTimeout(renew, interval);
  }

  build();
  renew();
  dark.addEventListener('change', build);
  new ResizeObserver(() => {
    charts.forEach(one => one.setSize({ width: one.root.parentNode.clientWidth, height: 210 }));
  }).observe(section);
})();
