# An option that nobody reads would make people believe that they had measured something else.
refuse() {
    "$DIFFLNS" bench "$@" -q || echo "exit $?"
}
refuse main --instances "$DATA"
refuse main --model-dense some.model
refuse frontier --iterations 3
refuse anytime --methods auto
refuse kernels --settings small-random:45
refuse init --time-scale 0.1
ls
