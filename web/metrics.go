package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/workflow"
)

// metrics counts what the server does. Labels are routes and never ids, so that their number is bounded.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	segments *prometheus.CounterVec
	tokens   *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ibid_http_requests_total", Help: "Requests by route, method and status."}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "ibid_http_request_seconds", Help: "How long requests took, streams to their end.",
			Buckets: []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300}}, []string{"route"}),
		segments: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ibid_segments_total", Help: "Segments of recorded answers by origin."}, []string{"origin"}),
		tokens:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ibid_model_tokens_total", Help: "Tokens of the model, where it tells."}, []string{"direction"}),
	}
	streams := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "ibid_streams_open", Help: "Answers that are being written as streams."}, func() float64 {
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		return float64(len(s.hub.live))
	})
	m.registry.MustRegister(m.requests, m.seconds, m.segments, m.tokens, streams, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) request(r *http.Request, route string, status int, took time.Duration) {
	method := r.Method
	switch method {
	case "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS":
	default:
		method = "other"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

func (m *metrics) answered(a ibid.Answer) {
	for _, seg := range a.Segments {
		m.segments.WithLabelValues(string(seg.Origin)).Inc()
	}
	m.tokens.WithLabelValues("input").Add(float64(max(a.Usage.Input, 0))) // a counter that is to go down panics
	m.tokens.WithLabelValues("output").Add(float64(max(a.Usage.Output, 0)))
}

// mountHealth serves what machines look at: whether the server lives, whether it can answer, and what it counted.
func (s *Server) mountHealth(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		accountOf(r.Context()).route = "/healthz"
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("ok\n"))
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		accountOf(r.Context()).route = "/readyz"
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if _, err := s.Store.Sequence(ctx); err != nil || s.background.Err() != nil {
			s.Log.Error("not ready", "error", err)
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write([]byte("not ready\n"))
			return
		}
		w.Write([]byte("ready\n"))
	})
	handler := promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		accountOf(r.Context()).route = "/metrics"
		if _, err := s.who(r, api.Read); err != nil {
			s.refuse(w, r, err)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// Names of the conventions for generative models. The constants of the Go module come and go, so they stand here.
const (
	genAIOperation = attribute.Key("gen_ai.operation.name")
	genAIProvider  = attribute.Key("gen_ai.provider.name")
	genAIRequest   = attribute.Key("gen_ai.request.model")
	genAIResponse  = attribute.Key("gen_ai.response.model")
	genAIInput     = attribute.Key("gen_ai.usage.input_tokens")
	genAIOutput    = attribute.Key("gen_ai.usage.output_tokens")
	genAIAnswer    = attribute.Key("gen_ai.response.id")
	httpRoute      = attribute.Key("http.route")
	httpMethod     = attribute.Key("http.request.method")
	httpStatus     = attribute.Key("http.response.status_code")
	errorType      = attribute.Key("error.type")
)

func tracerOf(p trace.TracerProvider) trace.Tracer {
	if p == nil {
		p = noop.NewTracerProvider()
	}
	return p.Tracer("github.com/ibid-dev/ibid/web")
}

// traced runs an answer within a span that says which model answered and what it took. It holds no word of question or
// answer.
func (s *Server) traced(operation string, run asking) asking {
	return func(ctx context.Context, q workflow.Question) eventSeq {
		return func(yield func(workflow.Event, error) bool) {
			ctx, span := s.tracer.Start(ctx, operation+" "+s.ModelName, trace.WithSpanKind(trace.SpanKindClient),
				trace.WithAttributes(genAIOperation.String(operation), genAIProvider.String(or(s.ProviderName, "ibid")), genAIRequest.String(s.ModelName)))
			defer span.End()
			for e, err := range run(ctx, q) {
				if err != nil {
					span.SetStatus(codes.Error, "")
					span.SetAttributes(errorType.String(strconv.Itoa(status(err))))
				}
				if e.Kind == workflow.Done {
					a := e.Answer
					s.metrics.answered(a)
					span.SetAttributes(genAIResponse.String(a.Model), genAIInput.Int(a.Usage.Input), genAIOutput.Int(a.Usage.Output), genAIAnswer.String(string(a.ID)))
				}
				if !yield(e, err) {
					return
				}
			}
		}
	}
}
